/** Lets a bounded number of parts through at once, first come first served. */
interface Waiting {
  readonly parts: number
  readonly signal: AbortSignal | undefined
  readonly enter: () => void
  readonly leave: (reason: Error) => void
}

export class Semaphore {
  readonly #capacity: number
  readonly #signals = new WeakSet<AbortSignal>()
  #waiting: Waiting[] = []
  #inside = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** A message of more parts than the capacity enters alone. */
  enter(parts: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.reject(signal.reason as Error)
    if (this.#waiting.length === 0 && this.#fits(parts)) {
      this.#inside += parts
      return Promise.resolve()
    }
    if (signal !== undefined) this.#listen(signal)
    return new Promise((enter, leave) => this.#waiting.push({ parts, signal, enter, leave }))
  }

  leave(parts: number): void {
    this.#inside -= parts
    for (let next = this.#waiting[0]; next !== undefined && this.#fits(next.parts); next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#inside += next.parts
      next.enter()
    }
  }

  /** Once per signal: a listener for each of thousands of waiting jobs took a twelfth of a worker's time. */
  #listen(signal: AbortSignal): void {
    if (this.#signals.has(signal)) return
    this.#signals.add(signal)
    signal.addEventListener(
      'abort',
      () => {
        const leaving = this.#waiting.filter((entry) => entry.signal === signal)
        this.#waiting = this.#waiting.filter((entry) => entry.signal !== signal)
        for (const entry of leaving) entry.leave(signal.reason as Error)
        this.leave(0)
      },
      { once: true },
    )
  }

  #fits(parts: number): boolean {
    return this.#inside === 0 || this.#inside + parts <= this.#capacity
  }
}
