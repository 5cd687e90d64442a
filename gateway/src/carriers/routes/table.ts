/** All routes in memory by priority, refreshed every second and compiled once per change for `choose.ts`. */
import type { Database } from '../../platform/database/database.ts'
import { plaintextCipher, type FieldCipher } from '../../platform/encryption/field-cipher.ts'
import type { Log } from '../../platform/logging/log.ts'
import { TableCache } from '../../platform/database/table-cache.ts'
import { compileRoutes, type CompiledRoutes } from './compile.ts'
import { loadRoutes, readRoutesVersion } from './queries.ts'
import type { TemplateKind } from '../../channels/rcs/limits.ts'
import { loadRanges } from './ranges.ts'
import type { Route } from './route.ts'
import { loadTemplates } from './templates.ts'

export class RouteTable extends TableCache<readonly Route[]> {
  #compiled: CompiledRoutes | undefined
  #templates: ReadonlyMap<string, TemplateKind> = new Map()

  constructor(database: Database, log: Log, cipher: FieldCipher) {
    const load = async (): Promise<readonly Route[]> => {
      const [routes, ranges, templates] = await Promise.all([
        loadRoutes(database, cipher),
        loadRanges(database),
        loadTemplates(database),
      ])
      this.#templates = new Map(templates.map(({ id, kind }) => [id, kind]))
      this.#compiled = compileRoutes(routes, ranges)
      return routes
    }
    super({ what: 'routes', version: () => readRoutesVersion(database), load }, log)
  }

  get compiled(): CompiledRoutes {
    if (this.#compiled === undefined) throw this.notLoaded()
    return this.#compiled
  }

  /** Kinds of RCS templates, as set by the operator; empty until they are loaded. */
  get templates(): ReadonlyMap<string, TemplateKind> {
    return this.#templates
  }
}

export function createRouteTable(
  database: Database,
  log: Log,
  cipher: FieldCipher = plaintextCipher,
): RouteTable {
  return new RouteTable(database, log, cipher)
}
