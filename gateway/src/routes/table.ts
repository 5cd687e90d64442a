/** All routes in memory, in order of priority, kept fresh by a mirror. */
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { Mirror } from '../platform/mirror.ts'
import { loadRoutes, routesVersion } from './queries.ts'
import type { Route } from './route.ts'

export type RouteTable = Mirror<readonly Route[]>

export function createRouteTable(database: Database, log: Log): RouteTable {
  return new Mirror<readonly Route[]>(
    { what: 'routes', version: () => routesVersion(database), load: () => loadRoutes(database) },
    log,
  )
}
