/**
 * Counts, in one API process, what the broker confirmed, per minute of acceptance and account, and stores the counts every
 * two seconds. A count costs no statement and no broker message. While PostgreSQL is unavailable counts stay in memory,
 * within bounds: older or further ones are given up, which can hide a loss but raises no alarm.
 */
import { randomBytes } from 'node:crypto'
import { columns, queryBulk } from '../../platform/bulk.ts'
import { clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import { every } from '../../platform/periodic.ts'
import { saveConfirmedText } from './gate-gaps.ts'
import { minuteOf } from './queries.ts'

interface Count {
  confirmed: number
  /** What PostgreSQL is known to have. */
  saved: number
}

const flushEveryMs = 2_000
/** Longer than PostgreSQL accepts them. */
const forgetMs = 20 * 60_000
/** About 30 MB. */
const maxCounts = 200_000

export class GateCounter {
  /** Random at each start: the counts of two runs are never added. */
  readonly process = randomBytes(6).toString('hex')
  readonly #minutes = new Map<number, Map<number, Count>>()
  #size = 0

  /** Call it when the broker has confirmed the message. */
  confirmed(accountId: number, acceptedAt: number): void {
    const minute = minuteOf(acceptedAt)
    let accounts = this.#minutes.get(minute)
    if (accounts === undefined) this.#minutes.set(minute, (accounts = new Map<number, Count>()))
    const count = accounts.get(accountId)
    if (count !== undefined) count.confirmed++
    else if (this.#size < maxCounts) {
      accounts.set(accountId, { confirmed: 1, saved: 0 })
      this.#size++
    }
  }

  /** Stores the counts that changed since the last time. */
  async flush(database: Queryable): Promise<void> {
    this.#forget()
    const changed = [...this.#minutes].flatMap(([minute, accounts]) =>
      [...accounts]
        .filter(([, { confirmed, saved }]) => confirmed > saved)
        .map(([accountId, count]) => ({ minute, accountId, count, confirmed: count.confirmed })),
    )
    await queryBulk(database, {
      name: 'save-confirmed',
      text: saveConfirmedText,
      columns: columns(changed, ({ minute, accountId, confirmed }) => [
        new Date(minute),
        accountId,
        confirmed,
      ]),
      values: [this.process],
    })
    for (const { count, confirmed } of changed) count.saved = confirmed
  }

  #forget(): void {
    for (const [minute, accounts] of this.#minutes) {
      if (minute > clock.now() - forgetMs) continue
      this.#minutes.delete(minute)
      this.#size -= accounts.size
    }
  }
}

export interface GateCounting {
  readonly counter: GateCounter
  /** Call it after the last send was answered. */
  stop(): Promise<void>
}

export function startGateCounter(database: Queryable, log: Log): GateCounting {
  const counter = new GateCounter()
  const periodic = every(flushEveryMs, 'storing the counts of accepted messages', log, () =>
    counter.flush(database),
  )
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
    },
  }
}
