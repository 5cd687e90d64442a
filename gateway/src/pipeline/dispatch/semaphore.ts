/** Bounds how many submissions of a route are open at its carrier at once; waiters enter in the order they came. */
export class Semaphore {
  readonly #capacity: number
  readonly #waiting: (() => void)[] = []
  #inside = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** Resolves when there is capacity. The caller must then `leave`. */
  enter(): Promise<void> {
    if (this.#inside < this.#capacity) {
      this.#inside++
      return Promise.resolve()
    }
    return new Promise((enter) => this.#waiting.push(enter))
  }

  /** Passes the place to the next waiter directly, so that a later caller cannot take it first. */
  leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#inside--
    else next()
  }
}
