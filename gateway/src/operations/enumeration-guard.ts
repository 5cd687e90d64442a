/**
 * Limits per operator the lookups of mobile numbers that are not registered or not permitted, and the
 * registrations of numbers that end like a registered one. Lists show the last digits of a number, so 10,000
 * requests would find the rest. Counters are per process.
 */
import { OperationError } from './errors.ts'
import { RefusalThrottle } from './throttle.ts'

/** Maximum misses per minute. */
export const maxMisses = 20

export class EnumerationGuard {
  readonly #misses = new RefusalThrottle(maxMisses)

  /** Call before the number is looked up: the refusal must not depend on whether it is registered. */
  require(operator: string): void {
    this.#require(
      operator,
      `more than ${maxMisses} guesses of mobile numbers within a minute: lookups of unregistered or unpermitted ones, or new ones that end like a registered one; retry later, or find the sender in the list and show it by ID`,
    )
  }

  miss(operator: string): void {
    this.#misses.tryReserve(operator)
  }

  /** Call before numbers are registered: the refusal must not depend on whether they are registered. */
  requireForNew(operator: string): void {
    this.#require(
      operator,
      `more than ${maxMisses} guesses of mobile numbers within a minute: new ones that end like a registered number of their account, or lookups of unregistered or unpermitted ones; register fewer at a time, or ask an operator with the right 'reveal'`,
    )
  }

  #require(operator: string, message: string): void {
    const leftMs = this.#misses.remainingMs(operator)
    if (leftMs > 0)
      throw new OperationError('too-many-requests', message, { retryAfterSeconds: Math.ceil(leftMs / 1000) })
  }

  /** Returns false if there are too many; then none of them must be registered. */
  missEach(operator: string, count: number): boolean {
    for (let n = 0; n < count; n += 1) if (this.#misses.tryReserve(operator) > 0) return false
    return true
  }
}
