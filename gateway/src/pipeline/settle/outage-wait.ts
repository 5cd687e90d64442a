/**
 * Whether steps may end at their deadline now. After PostgreSQL has not answered for a while, or this process was frozen or
 * has just started, answers and receipts of carriers have waited in the broker and are settled first: a step whose deadline
 * passed meanwhile would end as unknown although its outcome is known. A PostgreSQL that answers, but slowly, puts deadlines
 * off only for a limited time. Called by `startDeadlines`, with times of `performance.now()`.
 */
export interface OutageLimits {
  /** An outage lasts at least this long. */
  readonly fromMs: number
  /** No step ends for this long after one. */
  readonly waitMs: number
  /** Nor for longer than this when outages follow each other and PostgreSQL answers each time. */
  readonly maxWaitMs: number
}

export const defaultOutageLimits: OutageLimits = { fromMs: 2_500, waitMs: 8_000, maxWaitMs: 60_000 }

export class OutageWait {
  readonly #limits: OutageLimits
  #activeAt: number
  /** When the last outage ended, and the first of those that follow each other. */
  #lastEnd: number
  #firstEnd: number
  #hasFailed = false

  constructor(limits: OutageLimits, now: number) {
    this.#limits = limits
    this.#activeAt = this.#lastEnd = this.#firstEnd = now
  }

  /** A query has failed: nothing is settled until PostgreSQL answers again, however long that takes. */
  failed(): void {
    this.#hasFailed = true
  }

  /** PostgreSQL has answered. Returns whether steps may end. */
  answered(now: number): boolean {
    const { fromMs, waitMs, maxWaitMs } = this.#limits
    if (now - this.#activeAt >= fromMs) {
      if (this.#hasFailed || this.#activeAt >= this.#lastEnd + waitMs) this.#firstEnd = now
      this.#lastEnd = now
    }
    this.#hasFailed = false
    this.active(now)
    return now >= Math.min(this.#lastEnd + waitMs, this.#firstEnd + maxWaitMs)
  }

  /** The process runs; PostgreSQL was not asked, or the time since its answer is explained. */
  active(now: number): void {
    this.#activeAt = now
  }
}
