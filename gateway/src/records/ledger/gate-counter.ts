/**
 * Counts, in one API process, what the broker confirmed, per minute of acceptance and account, and stores the counts every
 * two seconds. A count costs no statement and no broker message. While PostgreSQL is unavailable counts stay in memory,
 * within bounds: older or further ones are given up and logged, which can hide a loss but raises no alarm.
 */
import { randomBytes } from 'node:crypto'
import { columns, queryBulk } from '../../platform/bulk.ts'
import { clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import { every } from '../../platform/periodic.ts'
import { keepUnsavedHours, saveConfirmedText } from './gate-table.ts'
import { minuteOf } from './queries.ts'

interface Count {
  readonly minute: number
  readonly accountId: number
  confirmed: number
}

const flushEveryMs = 2_000
/** A confirm comes within a minute (`POSTERN_PUBLISH_TIMEOUT_MS`): the counts of a minute that began then do not change. */
const completeMs = 3 * 60_000
/** About 60 MB: those of 10,000 accounts that send in every minute of the default reserve and of ten more. */
const maxCounts = 400_000
/** Rows of one statement. */
const maxRows = 10_000
const logEveryMs = 60_000

export class GateCounter {
  /** Names the process in the counts. Other at each start: the counts of two runs are never added. */
  readonly process: string
  readonly #minutes = new Map<number, Map<number, Count>>()
  /** Counts that PostgreSQL does not have yet, in the order in which they began to change. */
  readonly #changed = new Set<Count>()
  /** Minutes that are complete, and of which only counts to store are left. */
  readonly #complete = new Set<number>()
  readonly #maxCounts: number
  #size = 0
  #givenUp = 0

  constructor(process = randomBytes(6).toString('hex'), limit = maxCounts) {
    this.process = process
    this.#maxCounts = limit
  }

  /** How many counts are kept. */
  get size(): number {
    return this.#size
  }

  /** Call it when the broker has confirmed the message. */
  confirmed(accountId: number, acceptedAt: number): void {
    const minute = minuteOf(acceptedAt)
    let accounts = this.#minutes.get(minute)
    if (accounts === undefined) this.#minutes.set(minute, (accounts = new Map<number, Count>()))
    let count = accounts.get(accountId)
    if (count === undefined) {
      if (this.#size >= this.#maxCounts) {
        this.#givenUp++
        return
      }
      accounts.set(accountId, (count = { minute, accountId, confirmed: 0 }))
      this.#size++
    }
    count.confirmed++
    this.#changed.add(count)
  }

  /** Stores the counts that changed since the last time, and forgets those that are stored and complete. */
  async flush(database: Queryable): Promise<void> {
    this.#giveUpOld()
    this.#forgetComplete()
    // Not what changes meanwhile: a flush ends.
    for (let left = this.#changed.size; left > 0; left -= maxRows) {
      const rows = this.#firstChanged(Math.min(left, maxRows))
      await queryBulk(database, {
        name: 'save-confirmed',
        text: saveConfirmedText,
        columns: columns(rows, ({ count, confirmed }) => [
          new Date(count.minute),
          count.accountId,
          confirmed,
        ]),
        values: [this.process],
      })
      for (const { count, confirmed } of rows) {
        this.#changed.delete(count)
        if (count.confirmed > confirmed) this.#changed.add(count)
        else if (this.#complete.has(count.minute)) this.#forget(count)
      }
    }
  }

  #firstChanged(limit: number): { readonly count: Count; readonly confirmed: number }[] {
    const rows = []
    for (const count of this.#changed) {
      if (rows.length >= limit) break
      rows.push({ count, confirmed: count.confirmed })
    }
    return rows
  }

  /** How many messages were not counted, or their counts given up, since the last call. */
  takeGivenUp(): number {
    const givenUp = this.#givenUp
    this.#givenUp = 0
    return givenUp
  }

  /** PostgreSQL refuses them from then on. */
  #giveUpOld(): void {
    for (const count of this.#changed) {
      // The order is that of the minutes, but for a minute.
      if (!clock.hasPassed(count.minute + keepUnsavedHours * 3_600_000)) break
      this.#givenUp += count.confirmed
      this.#changed.delete(count)
      this.#forget(count)
    }
  }

  /** Those that are stored. The others are forgotten one by one when they are. */
  #forgetComplete(): void {
    const now = clock.now()
    for (const [minute, accounts] of this.#minutes) {
      if (minute > now - completeMs || this.#complete.has(minute)) continue
      this.#complete.add(minute)
      for (const count of accounts.values()) if (!this.#changed.has(count)) this.#forget(count)
    }
  }

  #forget({ minute, accountId }: Count): void {
    const accounts = this.#minutes.get(minute)
    if (accounts?.delete(accountId) !== true) return
    this.#size--
    if (accounts.size > 0) return
    this.#minutes.delete(minute)
    this.#complete.delete(minute)
  }
}

export interface GateCounting {
  readonly counter: GateCounter
  /** Call it after the last send was answered. */
  stop(): Promise<void>
}

/** `process`: the name of this process in its log. */
export function startGateCounter(database: Queryable, log: Log, process?: string): GateCounting {
  const counter = new GateCounter(process)
  let loggedAtMs = -Infinity
  const periodic = every(flushEveryMs, 'storing the counts of accepted messages', log, async () => {
    try {
      await counter.flush(database)
    } finally {
      if (performance.now() - loggedAtMs >= logEveryMs) {
        loggedAtMs = performance.now()
        logGivenUp(counter.takeGivenUp(), log)
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
          'the counts of the last accepted messages could not be stored; a loss of them would not be seen',
        )
      })
      logGivenUp(counter.takeGivenUp(), log)
    },
  }
}

function logGivenUp(messages: number, log: Log): void {
  if (messages === 0) return
  log.warn(
    { messages },
    'accepted messages are not counted, because PostgreSQL has been unavailable for long and too many counts wait for it; a loss of these messages in the first queue would not be seen. They are accepted and recorded as usual. Bring PostgreSQL back',
  )
}
