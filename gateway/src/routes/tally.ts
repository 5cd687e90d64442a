/**
 * Counts in memory what became of each route's messages and adds it to the record every few seconds. It only steers
 * the choice of routes, so what a killed process had counted may be lost, and the hot transaction has no more to write.
 */
import type { Cause } from '../channels/cause.ts'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { every, type Periodic } from '../platform/periodic.ts'
import { appendRouteResults, countRouteResults, foldRouteResults, removeOldRouteResults } from './results.ts'

const flushEveryMs = 5_000
const foldEveryMs = 60_000
const keepMs = 3_600_000

export class RouteTally {
  #counted: { readonly routeId: string; readonly cause: Cause }[] = []

  note(routeId: string, cause: Cause): void {
    this.#counted.push({ routeId, cause })
  }

  async flush(database: Database): Promise<void> {
    const counted = this.#counted
    this.#counted = []
    await appendRouteResults(database, countRouteResults(counted))
  }
}

/** Writes the tally down as long as it runs, and keeps the record short. */
export function keepTally(tally: RouteTally, database: Database, log: Log): Periodic {
  const chores = [
    every(flushEveryMs, 'counting results of routes', log, () => tally.flush(database)),
    every(foldEveryMs, 'folding results of routes', log, async () => {
      await foldRouteResults(database)
      await removeOldRouteResults(database, new Date(Date.now() - keepMs))
    }),
  ]
  return {
    async stop() {
      await Promise.all(chores.map((chore) => chore.stop()))
    },
  }
}
