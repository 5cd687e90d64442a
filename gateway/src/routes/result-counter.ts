/**
 * Counts the results of each route in memory and writes them to route_results every five seconds. The counts only steer
 * the choice of routes: a killed process may lose what it counted, and the transaction that settles writes nothing more.
 */
import type { Cause } from '../channels/cause.ts'
import { clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { every, type Periodic } from '../platform/periodic.ts'
import { appendRouteResults, countRouteResults, foldRouteResults, removeOldRouteResults } from './results.ts'

const flushEveryMs = 5_000
const foldEveryMs = 60_000
const keepMs = 3_600_000

export class RouteResultCounter {
  #counted: { readonly routeId: string; readonly cause: Cause }[] = []

  count(routeId: string, cause: Cause): void {
    this.#counted.push({ routeId, cause })
  }

  async flush(database: Database): Promise<void> {
    const counted = this.#counted
    this.#counted = []
    await appendRouteResults(database, countRouteResults(counted))
  }
}

/** Writes the counts, folds old rows and removes those older than an hour, until it is stopped. */
export function startResultCounter(counter: RouteResultCounter, database: Database, log: Log): Periodic {
  const tasks = [
    every(flushEveryMs, 'counting results of routes', log, () => counter.flush(database)),
    every(foldEveryMs, 'folding results of routes', log, async () => {
      await foldRouteResults(database)
      await removeOldRouteResults(database, clock.cutoff(keepMs))
    }),
  ]
  return {
    async stop() {
      await Promise.all(tasks.map((task) => task.stop()))
    },
  }
}
