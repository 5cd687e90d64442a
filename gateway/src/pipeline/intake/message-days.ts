/**
 * Creates the day partitions that a batch of messages needs and that the hourly task has not created: those of scheduled
 * messages, and those of days around today that are missing. A day outside the window is not created: a key of such a day
 * comes from a wrong clock, and its message is parked. Called by intake.
 */
import type { AcceptedJob } from '../../jobs/jobs.ts'
import type { Database } from '../../platform/database.ts'
import { dayOf, ensureDay } from '../../records/partitions.ts'

/** Messages are scheduled up to 60 days ahead, and the hosts of API and worker may differ by a moment around midnight. */
const maxDaysAhead = 61
/** Messages wait in the broker while no worker runs. */
const maxDaysBack = 7

export class MessageDays {
  readonly #database: Database
  readonly #daysBack: number
  /** Days whose partitions are known to exist. */
  readonly #ensured = new Set<string>()

  constructor(database: Database, retentionDays: number) {
    this.#database = database
    // The partition of an older day would be dropped within the hour.
    this.#daysBack = Math.min(maxDaysBack, retentionDays)
  }

  /** Scheduled messages belong to days whose partitions may not exist yet. */
  async ensureScheduled(jobs: readonly AcceptedJob[]): Promise<void> {
    for (const { msgKey, sendAt } of jobs) if (sendAt !== undefined) await this.#ensure(msgKey)
  }

  /** Call it when a partition was missing. True when one was created, so that the batch may be recorded now. */
  async createMissing(jobs: readonly AcceptedJob[]): Promise<boolean> {
    const before = this.#ensured.size
    for (const { msgKey } of jobs) await this.#ensure(msgKey)
    return this.#ensured.size > before
  }

  async #ensure(msgKey: string): Promise<void> {
    const name = msgKey.slice(0, 8)
    if (this.#ensured.has(name)) return
    const day = this.#dayWithinWindow(name)
    if (day === undefined) return
    await ensureDay(this.#database, day)
    this.#ensured.add(name)
  }

  #dayWithinWindow(name: string): Date | undefined {
    const now = new Date()
    for (let offset = -this.#daysBack; offset <= maxDaysAhead; offset++) {
      if (dayOf(now, offset) === name) return new Date(now.getTime() + offset * 86_400_000)
    }
    return undefined
  }
}
