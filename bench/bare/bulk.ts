/** Collects rows and writes them in bulk as soon as one of two slots is free. */
const maxRows = 200
const slots = 2

export class Bulk<T> {
  readonly #flush: (rows: T[]) => Promise<void>
  #rows: T[] = []
  #running = 0
  #scheduled = false

  constructor(flush: (rows: T[]) => Promise<void>) {
    this.#flush = flush
  }

  add(row: T): void {
    this.#rows.push(row)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#scheduled || this.#running >= slots || this.#rows.length === 0) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      const rows = this.#rows.splice(0, maxRows)
      this.#running++
      this.#schedule()
      void this.#flush(rows).then(() => {
        this.#running--
        this.#schedule()
      })
    })
  }
}
