/** Reads one route for a command, with its options decrypted. Throws when there is no such route. */
import { loadRoutes } from '../../routes/queries.ts'
import type { Route } from '../../routes/route.ts'
import { withSecrets } from '../connect.ts'
import { noSuchRoute } from './change.ts'

export function findRoute(id: string): Promise<Route> {
  return withSecrets(async (database, _config, cipher) => {
    const found = (await loadRoutes(database, cipher)).find((candidate) => candidate.id === id)
    if (found === undefined) throw noSuchRoute(id)
    return found
  })
}
