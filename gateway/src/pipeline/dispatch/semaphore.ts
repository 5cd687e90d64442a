/** Bounds how many submissions of a route are open at its carrier at once; waiters acquire it in the order they came. */
export class Semaphore {
  readonly #capacity: number
  readonly #waiting: (() => void)[] = []
  #held = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** True when there was capacity: the caller need not wait and must `release` afterwards. */
  tryAcquire(): boolean {
    if (this.#held >= this.#capacity) return false
    this.#held++
    return true
  }

  /** Resolves when there is capacity. The caller must `release` afterwards. */
  acquire(): Promise<void> {
    if (this.tryAcquire()) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Passes the place to the next waiter directly, so that a later caller cannot take it first. */
  release(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#held--
    else next()
  }
}
