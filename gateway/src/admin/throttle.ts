/**
 * Bounds how many refusals one network or operator causes: each of them is a row of the audit log, which is written one at a time and
 * kept for ever. Counted by this process alone. It is asked only about requests that are refused in any case, so that nobody can
 * lock out others with the same address. Used by `authenticate.ts`.
 */
import { OperationError } from '../acts/errors.ts'

const windowMs = 60_000
const maxRefusals = 20
const maxTracked = 10_000

export class RefusalThrottle {
  readonly #counts = new Map<string, { count: number; since: number }>()
  readonly #max: number
  readonly #now: () => number

  constructor(max = maxRefusals, now: () => number = () => performance.now()) {
    this.#max = max
    this.#now = now
  }

  /** Counts a refusal before it is recorded; throws when `who` had too many in the last minute. */
  reserve(who: string): void {
    const leftMs = this.take(who)
    if (leftMs > 0)
      throw new OperationError(
        'too-many-requests',
        `${this.#max} requests were refused within a minute; wait, and check the key and the role`,
        { retryAfterSeconds: Math.ceil(leftMs / 1000) },
      )
  }

  /** 0 when the next one would be counted; otherwise the milliseconds until it is. */
  left(who: string): number {
    const entry = this.#counts.get(who)
    if (entry === undefined || entry.count < this.#max) return 0
    return Math.max(0, entry.since + windowMs - this.#now())
  }

  /** 0 when it was counted; otherwise the milliseconds until the next one is. */
  take(who: string): number {
    const leftMs = this.left(who)
    if (leftMs > 0) return leftMs
    const now = this.#now()
    const entry = this.#counts.get(who)
    if (entry !== undefined && now - entry.since < windowMs) {
      entry.count += 1
      return 0
    }
    this.#counts.delete(who)
    // The oldest entry makes room: a flood from many networks must not fill the memory.
    if (this.#counts.size >= maxTracked) this.#counts.delete(this.#counts.keys().next().value!)
    this.#counts.set(who, { count: 1, since: now })
    return 0
  }
}
