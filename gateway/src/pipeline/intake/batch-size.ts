/**
 * How many messages a batch of intake may have: as many as are recorded in a quarter of a second. With a fast PostgreSQL that
 * is the maximum; with a slow one large batches of several workers would make every message wait for seconds. Called by intake.
 */
const maxMessages = 400
/** One full group. Fewer would only lower the rate when every batch takes long whatever its size. */
const minMessages = 64
const targetMs = 250

export class BatchSize {
  /** At first one group: five full batches later it is the maximum, if PostgreSQL is fast. */
  #maxItems = minMessages

  get maxItems(): number {
    return Math.round(this.#maxItems)
  }

  /** A batch was recorded. */
  took(items: number, ms: number): void {
    // A batch that was not full says nothing about larger ones, unless it took too long already.
    if (items < this.maxItems && ms <= targetMs) return
    const fitting = (items * targetMs) / Math.max(1, ms)
    // By at most half at once: a single pause of PostgreSQL is soon made up for.
    const next = Math.min(1.5 * this.#maxItems, Math.max(0.5 * this.#maxItems, fitting))
    this.#maxItems = Math.min(maxMessages, Math.max(minMessages, next))
  }
}
