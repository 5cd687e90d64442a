/** Caches a reading for some time. Failures are not cached. */
export class CachedReading<Value> {
  readonly #keepMs: number
  #last: { readonly at: number; readonly value: Promise<Value> } | undefined

  constructor(keepMs: number) {
    this.#keepMs = keepMs
  }

  read(load: (at: number) => Promise<Value>): Promise<Value> {
    const at = performance.now()
    if (this.#last === undefined || at - this.#last.at > this.#keepMs) {
      const last = { at, value: load(at) }
      this.#last = last
      last.value.catch(() => {
        if (this.#last === last) this.#last = undefined
      })
    }
    return this.#last.value
  }
}
