/**
 * Finds the submissions of this process's routes whose result is missing, by the age of their message and by the time that is
 * left to their deadline. Each pass is a range that moves with the clock over an index of `in_flight`. A process searches from
 * its start on: what an earlier owner left in between is found by the later passes.
 */
import { timeDigits } from '../../contract/msg-key.ts'
import { clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import { findUnresolved, type Missing, type UnresolvedPart } from '../../records/attempts/unresolved.ts'

export interface PassTimes {
  /** The ages of a message at which its carrier is asked. */
  readonly agesMs: readonly number[]
  /** The times before a deadline at which the carrier is asked; at the last one, open submissions are revoked. */
  readonly beforeDeadlineMs: readonly number[]
}

const minute = 60_000
const defaultTimes: PassTimes = {
  agesMs: [10 * minute, 60 * minute, 360 * minute],
  beforeDeadlineMs: [5 * minute, minute, 20_000],
}
/** The open steps that a pass reads; the others are left to the next pass. */
const maxSteps = 10_000

/** A route whose carrier can be asked. */
export interface AskingRoute {
  readonly routeId: string
  /** Whether its carrier can be asked now for what is missing. */
  canAsk(missing: Missing): boolean
  ask(part: UnresolvedPart): void
}

export class LookupPasses {
  readonly #database: Database
  readonly #times: PassTimes
  #searchedUntil = clock.now()

  constructor(database: Database, times: PassTimes = defaultTimes) {
    this.#database = database
    this.#times = times
  }

  /** Costs no statement if no route can be asked. */
  async run(routes: readonly AskingRoute[]): Promise<void> {
    const before = clock.now()
    // A revocation cannot be undone: while one of the two clocks is wrong, nothing is searched.
    if (clock.agrees) await this.#search(routes, Math.min(this.#searchedUntil, before), before)
    this.#searchedUntil = before
  }

  async #search(routes: readonly AskingRoute[], from: number, before: number): Promise<void> {
    const asking = (missing: Missing): string[] =>
      routes.filter((route) => route.canAsk(missing)).map(({ routeId }) => routeId)
    const routeIds = { response: asking('response'), receipt: asking('receipt') }
    if (routeIds.response.length + routeIds.receipt.length === 0) return
    const { agesMs, beforeDeadlineMs } = this.#times
    const found = await findUnresolved(this.#database, {
      keys: agesMs.map((ageMs) => ({
        fromKey: timeDigits(new Date(from - ageMs)),
        beforeKey: timeDigits(new Date(before - ageMs)),
      })),
      due: beforeDeadlineMs.map((leftMs, nth) => ({
        from: new Date(from + leftMs),
        before: new Date(before + leftMs),
        isLast: nth === beforeDeadlineMs.length - 1,
      })),
      routeIds,
      limit: maxSteps,
    })
    const byId = new Map(routes.map((route) => [route.routeId, route]))
    for (const part of found) byId.get(part.row.routeId)?.ask(part)
  }
}
