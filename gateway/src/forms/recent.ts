/**
 * What was learned in the last moment: each value is kept until its time and no longer, and when there are too many
 * the oldest goes. Values are put in the order of their times.
 */
export class Recent<V> {
  readonly #capacity: number
  /** In the order of insertion, which is the order of their ends. */
  readonly #entries = new Map<string, { readonly value: V; readonly until: number }>()

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: string, now: number): V | undefined {
    const entry = this.#entries.get(key)
    return entry !== undefined && entry.until > now ? entry.value : undefined
  }

  set(key: string, value: V, until: number, now: number): void {
    this.#entries.delete(key)
    this.#entries.set(key, { value, until })
    for (const [oldest, entry] of this.#entries) {
      if (this.#entries.size <= this.#capacity && entry.until > now) return
      this.#entries.delete(oldest)
    }
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }
}
