/** All routes in memory, in order of priority, refreshed every second and compiled once per change for `choose.ts`. */
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { TableCache } from '../platform/table-cache.ts'
import { compileRoutes, type CompiledRoutes } from './compile.ts'
import { loadRoutes, routesVersion } from './queries.ts'
import { loadRanges } from './ranges.ts'
import type { Route } from './route.ts'

export class RouteTable extends TableCache<readonly Route[]> {
  #compiled: CompiledRoutes | undefined

  constructor(database: Database, log: Log) {
    const load = async (): Promise<readonly Route[]> => {
      const [routes, ranges] = await Promise.all([loadRoutes(database), loadRanges(database)])
      this.#compiled = compileRoutes(routes, ranges)
      return routes
    }
    super({ what: 'routes', version: () => routesVersion(database), load }, log)
  }

  get compiled(): CompiledRoutes {
    if (this.#compiled === undefined) throw this.notLoaded()
    return this.#compiled
  }
}

export function createRouteTable(database: Database, log: Log): RouteTable {
  return new RouteTable(database, log)
}
