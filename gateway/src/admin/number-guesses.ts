/**
 * Bounds how many mobile numbers an operator asks for that are not registered, or that it may not ask for, and how many it registers that
 * end like a registered one. Lists show the last digits of one, and 10,000 requests would find the others. Counted by this process alone;
 * called by `operations/sender-lookup.ts`.
 */
import { OperationError } from '../acts/errors.ts'
import { RefusalThrottle } from './throttle.ts'

/** Within a minute. */
export const maxMisses = 20

export class NumberGuesses {
  readonly #misses = new RefusalThrottle(maxMisses)

  /** Before the number is looked up: refused alike whether it is registered or not. */
  require(operator: string): void {
    this.#require(
      operator,
      `${maxMisses} mobile numbers that are not registered, or that the role may not ask for, were asked for within a minute; wait, or find the sender in the list and show it by its id`,
    )
  }

  miss(operator: string): void {
    this.#misses.take(operator)
  }

  /** Before numbers are registered: refused alike whether they are registered or not. */
  requireForNew(operator: string): void {
    this.#require(
      operator,
      `more than ${maxMisses} new mobile numbers within a minute end like a registered one of their account, as guesses of it would; register them some at a time after a minute, or have an operator with the right 'reveal' do it`,
    )
  }

  #require(operator: string, advice: string): void {
    const leftMs = this.#misses.left(operator)
    if (leftMs > 0)
      throw new OperationError('too-many-requests', advice, { retryAfterSeconds: Math.ceil(leftMs / 1000) })
  }

  /** False when they are too many: then none of them may be registered. */
  missEach(operator: string, numbers: number): boolean {
    for (let n = 0; n < numbers; n += 1) if (this.#misses.take(operator) > 0) return false
    return true
  }
}
