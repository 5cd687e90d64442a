/** One route by its id, with its options as they were saved. Called by the commands that read the options of a link. */
import { loadRoutes } from '../../routes/queries.ts'
import type { Route } from '../../routes/route.ts'
import { withDatabase } from '../connect.ts'
import { noSuchRoute } from './change.ts'

export function findRoute(id: string): Promise<Route> {
  return withDatabase(async (database) => {
    const found = (await loadRoutes(database)).find((route) => route.id === id)
    if (found === undefined) throw noSuchRoute(id)
    return found
  })
}
