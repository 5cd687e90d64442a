/** Counts what happened during the last whole second. Pure; used by `AdaptiveRate` and the owner of a route. */
const windowMs = 1_000

export class ThroughputWindow {
  readonly #now: () => number
  #start: number
  #count = 0
  #perSecond = 0

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
    this.#start = now()
  }

  add(count: number): void {
    this.#roll()
    this.#count += count
  }

  /** Of the present second, so far. */
  get count(): number {
    return this.#count
  }

  /** Of the last whole second. */
  get perSecond(): number {
    this.#roll()
    return this.#perSecond
  }

  #roll(): void {
    const elapsed = this.#now() - this.#start
    if (elapsed < windowMs) return
    this.#perSecond = elapsed > 2 * windowMs ? 0 : (this.#count * 1000) / elapsed
    this.#count = 0
    this.#start = this.#now()
  }
}
