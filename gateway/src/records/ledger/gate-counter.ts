/**
 * Counts in one API process the messages that the broker confirmed, by minute of acceptance and account, and
 * stores the totals every two seconds. While PostgreSQL is unavailable the counts stay in memory. Messages
 * beyond the limit are not counted, which is logged: that can hide a loss but raises no alarm.
 */
import { randomBytes } from 'node:crypto'
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { Log } from '../../platform/logging/log.ts'
import { every } from '../../platform/time/periodic.ts'
import { keepUnsavedHours } from './gate.ts'
import { startOfMinute } from './queries.ts'

interface Count {
  readonly minute: number
  readonly accountId: number
  confirmed: number
  stored: number
}

const flushIntervalMs = 2_000
/**
 * A confirm arrives within a minute (`POSTERN_PUBLISH_TIMEOUT_MS`), so counts of a minute that began this
 * long ago do not change.
 */
const completeMs = 3 * 60_000
/**
 * Enough for 10,000 accounts that send in every minute of the default reserve and ten more, in about 60 MB.
 */
const defaultMaxCounts = 400_000
const rowsPerStatement = 10_000
const logIntervalMs = 60_000

export class GateCounter {
  /**
   * Names the process in the counts. Differs at each start, so that the counts of two runs are never added.
   */
  readonly process: string
  readonly #maxCounts: number
  readonly #counts = new Map<string, Count>()
  #uncounted = 0

  constructor(process = randomBytes(6).toString('hex'), maxCounts = defaultMaxCounts) {
    this.process = process
    this.#maxCounts = maxCounts
  }

  /** Number of counts in memory. */
  get size(): number {
    return this.#counts.size
  }

  /** Counts the message. Call it when the broker has confirmed it. */
  confirmed(accountId: number, acceptedAt: number): void {
    const minute = startOfMinute(acceptedAt)
    const key = `${minute}/${accountId}`
    const count = this.#counts.get(key)
    if (count !== undefined) count.confirmed++
    else if (this.#counts.size >= this.#maxCounts) this.#uncounted++
    else this.#counts.set(key, { minute, accountId, confirmed: 1, stored: 0 })
  }

  /**
   * Stores the totals that changed since the last call, and discards those that no longer change. A repeated
   * statement adds nothing. Totals of minutes that are too old are ignored, because the counts to compare
   * them with can be removed already.
   */
  async flush(database: Queryable): Promise<void> {
    const changed = [...this.#counts.values()].filter(({ confirmed, stored }) => confirmed > stored)
    for (let first = 0; first < changed.length; first += rowsPerStatement) {
      const rows = changed.slice(first, first + rowsPerStatement).map((count) => ({ ...count, count }))
      await queryBulk(database, {
        name: 'save-confirmed',
        text: `insert into gate_counts as g (minute, process, account_id, confirmed, recorded)
               select minute, $4, account_id, confirmed, 0
                 from unnest($1::timestamptz[], $2::int[], $3::bigint[]) as c (minute, account_id, confirmed)
                where minute > now() - interval '${keepUnsavedHours} hours'
                order by minute, account_id
               on conflict (minute, process, account_id) do update set confirmed = greatest(g.confirmed, excluded.confirmed)`,
        columns: columns(rows, ({ minute, accountId, confirmed }) => [
          new Date(minute),
          accountId,
          confirmed,
        ]),
        values: [this.process],
      })
      for (const { count, confirmed } of rows) count.stored = confirmed
    }
    const completeBefore = clock.now() - completeMs
    for (const [key, { minute, confirmed, stored }] of this.#counts)
      if (minute <= completeBefore && confirmed === stored) this.#counts.delete(key)
  }

  /** Returns how many messages were not counted since the last call. */
  takeUncounted(): number {
    const uncounted = this.#uncounted
    this.#uncounted = 0
    return uncounted
  }
}

export interface GateCounting {
  readonly counter: GateCounter
  /** Stores the last counts. Call it after the last send has got its response. */
  stop(): Promise<void>
}

/** `process` is the name of this process in its log. */
export function startGateCounter(database: Queryable, log: Log, process?: string): GateCounting {
  const counter = new GateCounter(process)
  let loggedAtMs = -Infinity
  const periodic = every(flushIntervalMs, 'storing the counts of accepted messages', log, async () => {
    try {
      await counter.flush(database)
    } finally {
      if (performance.now() - loggedAtMs >= logIntervalMs) {
        loggedAtMs = performance.now()
        logUncounted(counter.takeUncounted(), log)
      }
    }
  })
  return {
    counter,
    async stop() {
      await periodic.stop()
      await counter.flush(database).catch((error: unknown) => {
        log.warn(
          { err: error as Error },
          'the counts of the last accepted messages could not be stored; a loss of them would not be detected',
        )
      })
      logUncounted(counter.takeUncounted(), log)
    },
  }
}

function logUncounted(messages: number, log: Log): void {
  if (messages === 0) return
  log.warn(
    { messages },
    'accepted messages are not counted, because too many counts wait for PostgreSQL; a loss of these messages in the intake queue would not be detected. They are accepted and recorded as usual. Restore PostgreSQL',
  )
}
