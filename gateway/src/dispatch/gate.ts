/** Lets a bounded number of parts through at once, first come first served. */
export class Gate {
  readonly #capacity: number
  readonly #waiting: { readonly parts: number; readonly enter: () => void }[] = []
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
    return new Promise((resolve, reject) => {
      const entry = {
        parts,
        enter: () => {
          signal?.removeEventListener('abort', onAbort)
          resolve()
        },
      }
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1)
        reject(signal?.reason as Error)
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#waiting.push(entry)
    })
  }

  leave(parts: number): void {
    this.#inside -= parts
    for (let next = this.#waiting[0]; next !== undefined && this.#fits(next.parts); next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#inside += next.parts
      next.enter()
    }
  }

  #fits(parts: number): boolean {
    return this.#inside === 0 || this.#inside + parts <= this.#capacity
  }
}
