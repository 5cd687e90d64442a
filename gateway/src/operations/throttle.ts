/**
 * Limits refusals per network or operator: each adds a row to the audit log, which is written one at a time
 * and kept forever. Counters are per process. `reserve` is for requests that are refused anyway, so that no
 * caller can lock out others with the same address.
 */
import { OperationError } from './errors.ts'

const periodMs = 60_000
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

  /** Counts a refusal before it is recorded. Throws if `who` had too many in the last minute. */
  reserve(who: string): void {
    const leftMs = this.tryReserve(who)
    if (leftMs > 0)
      throw new OperationError(
        'too-many-requests',
        `more than ${this.#max} requests were refused within a minute; check the key and the role, then retry later`,
        { retryAfterSeconds: Math.ceil(leftMs / 1000) },
      )
  }

  /** Returns 0 if the next refusal would be counted; otherwise the milliseconds until then. */
  remainingMs(who: string): number {
    const entry = this.#counts.get(who)
    if (entry === undefined || entry.count < this.#max) return 0
    return Math.max(0, entry.since + periodMs - this.#now())
  }

  /** Returns 0 if the refusal was counted; otherwise the milliseconds until the next one is. */
  tryReserve(who: string): number {
    const leftMs = this.remainingMs(who)
    if (leftMs > 0) return leftMs
    const now = this.#now()
    const entry = this.#counts.get(who)
    if (entry !== undefined && now - entry.since < periodMs) {
      entry.count += 1
      return 0
    }
    this.#counts.delete(who)
    // Evict the oldest entry: a flood from many networks must not fill the memory.
    if (this.#counts.size >= maxTracked) this.#counts.delete(this.#counts.keys().next().value!)
    this.#counts.set(who, { count: 1, since: now })
    return 0
  }
}
