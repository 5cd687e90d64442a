import type { AcceptedJob } from '../../jobs/jobs.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { toKeyDay, parseKeyDay, ensureDay, ensureScheduledDay } from '../../records/partitions.ts'

/**
 * Messages are scheduled up to 60 days ahead, and intake may receive a message around midnight before its
 * clock shows the day.
 */
const maxDaysAhead = 61

/**
 * Creates the day partitions that a batch of messages needs and that the hourly task has not created: those of
 * scheduled messages, and those of messages that waited in the broker. A day that is too old or too far ahead is not
 * created: a key of such a day comes from a wrong clock, and its message is parked.
 */
export class MessageDays {
  readonly #database: Database
  readonly #daysBack: number
  /** Days whose partitions are known to exist. */
  readonly #ensured = new Set<string>()
  /** Days with partitions for scheduled messages. */
  readonly #scheduled = new Set<string>()

  /**
   * Allows days back to the retention, because messages wait in the broker while no worker runs; older
   * partitions would be dropped.
   */
  constructor(database: Database, retentionDays: number) {
    this.#database = database
    this.#daysBack = retentionDays
  }

  /**
   * Creates the partitions of scheduled messages. A future message that is not scheduled has its key from a
   * wrong clock and is sent now, so it needs all partitions of its day.
   */
  async ensureAhead(jobs: readonly AcceptedJob[]): Promise<void> {
    const afterTomorrow = toKeyDay(clock.date(), 2)
    for (const { msgKey, sendAt } of jobs) {
      if (sendAt !== undefined) await this.#ensureScheduled(msgKey)
      else if (msgKey >= afterTomorrow) await this.#ensure(msgKey)
    }
  }

  /**
   * Must be called after a partition was missing. Reports whether the day of at least one message has its partitions
   * now, created here or by another batch; the batch may then be repeated once.
   */
  async createMissing(jobs: readonly AcceptedJob[]): Promise<boolean> {
    let ensured = false
    for (const { msgKey } of jobs) ensured = (await this.#ensure(msgKey)) || ensured
    return ensured
  }

  /** Returns false for a day that is too old or too far ahead. */
  async #ensure(msgKey: string): Promise<boolean> {
    const name = msgKey.slice(0, 8)
    if (this.#ensured.has(name)) return true
    const day = parseKeyDay(msgKey)
    if (day === undefined || !this.#isAllowed(name)) return false
    await ensureDay(this.#database, day)
    this.#ensured.add(name)
    return true
  }

  async #ensureScheduled(msgKey: string): Promise<void> {
    const name = msgKey.slice(0, 8)
    if (this.#scheduled.has(name) || this.#ensured.has(name)) return
    const day = parseKeyDay(msgKey)
    if (day === undefined || !this.#isAllowed(name)) return
    await ensureScheduledDay(this.#database, day, clock.date())
    this.#scheduled.add(name)
  }

  /** Reports whether the day can be created; names of days sort by time. */
  #isAllowed(name: string): boolean {
    const now = clock.date()
    return name >= toKeyDay(now, -this.#daysBack) && name <= toKeyDay(now, maxDaysAhead)
  }
}
