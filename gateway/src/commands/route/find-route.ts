/** Reads one route for a command, with its options decrypted. Throws when there is no such route. */
import type { Queryable } from '../../platform/database.ts'
import type { FieldCipher } from '../../platform/encryption/field-cipher.ts'
import { loadRoutes } from '../../routes/queries.ts'
import type { Route } from '../../routes/route.ts'
import { noSuchRoute } from '../../acts/routes.ts'

export async function findRoute(database: Queryable, cipher: FieldCipher, id: string): Promise<Route> {
  const found = (await loadRoutes(database, cipher)).find((candidate) => candidate.id === id)
  if (found === undefined) throw noSuchRoute(id)
  return found
}
