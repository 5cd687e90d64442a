import { timeDigits } from '../../../contract/msg-key.ts'
import { clock } from '../../../platform/time/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import {
  findUnresolved,
  type MissingHalf,
  type UnresolvedPart,
} from '../../../records/attempts/unresolved.ts'

export interface PassTimes {
  /** Ages of a message at which its carrier is queried. */
  readonly agesMs: readonly number[]
  /**
   * Times before a deadline at which the carrier is queried; at the last one, open submissions are revoked.
   */
  readonly beforeDeadlineMs: readonly number[]
}

const minute = 60_000
const defaultTimes: PassTimes = {
  agesMs: [10 * minute, 60 * minute, 360 * minute],
  beforeDeadlineMs: [5 * minute, minute, 20_000],
}
/** Maximum open steps that a pass reads for each age or remaining time; the others are left to the next age or time. */
const maxSteps = 10_000

/** Route whose carrier can be queried. */
export interface QueryableRoute {
  readonly routeId: string
  /** Digest of its login, if it is known. */
  readonly login: string | undefined
  /** Reports whether the carrier can be queried now for the missing result. */
  canQuery(missing: MissingHalf): boolean
  query(part: UnresolvedPart): void
}

/**
 * Finds the submissions of this process's routes whose result is missing, by the age of their message and the time left
 * to their deadline. Each pass is a range over an index of `in_flight` that moves with the clock. A process searches
 * from its start on; later passes find what an earlier owner left.
 */
export class LookupPasses {
  readonly #database: Database
  readonly #times: PassTimes
  #searchedUntil = clock.now()

  constructor(database: Database, times: PassTimes = defaultTimes) {
    this.#database = database
    this.#times = times
  }

  /** Runs one pass. Executes no statement if no route can be queried. */
  async run(routes: readonly QueryableRoute[]): Promise<void> {
    const before = clock.now()
    // A revocation cannot be undone, so search nothing while the two clocks disagree.
    if (clock.agrees) await this.#search(routes, Math.min(this.#searchedUntil, before), before)
    this.#searchedUntil = before
  }

  async #search(routes: readonly QueryableRoute[], from: number, before: number): Promise<void> {
    const listQueryable = (missing: MissingHalf): string[] =>
      routes.filter((route) => route.canQuery(missing)).map(({ routeId }) => routeId)
    const routeIds = { response: listQueryable('response'), receipt: listQueryable('receipt') }
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
    for (const part of found) {
      const route = byId.get(part.row.routeId)
      // An operator may have given the route another login since: its carrier does not know the submission.
      if (route !== undefined && route.login === part.login) route.query(part)
    }
  }
}
