/**
 * Counts the results of each route in memory and writes them to route_results every five seconds. The counts only influence
 * the choice of routes, so a killed process can lose some, and the transaction that settles needs no extra write.
 */
import type { Cause } from '../../channels/cause.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/logging/log.ts'
import { every, type Periodic } from '../../platform/time/periodic.ts'
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

/** Writes the counts, aggregates recent rows and deletes rows older than an hour, until stopped. */
export function startResultCounter(counter: RouteResultCounter, database: Database, log: Log): Periodic {
  const tasks = [
    every(flushEveryMs, 'writing route results', log, () => counter.flush(database)),
    every(foldEveryMs, 'aggregating route results', log, async () => {
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
