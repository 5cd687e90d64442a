const maxMessages = 400
/** Size of one full group. Fewer would only lower the rate if every batch takes long at any size. */
const minMessages = 64
const targetMs = 250

/**
 * Limits an intake batch to the messages that are recorded in a quarter of a second. With a fast PostgreSQL that is the
 * maximum; with a slow one, large batches of several workers would make every message wait for seconds.
 */
export class BatchSize {
  #maxItems = minMessages

  get maxItems(): number {
    return Math.round(this.#maxItems)
  }

  /** Adapts the size; must be called after every batch. */
  record(items: number, ms: number): void {
    // A batch that was not full shows nothing about larger ones, unless it already took too long.
    if (items < this.maxItems && ms <= targetMs) return
    const fitting = (items * targetMs) / Math.max(1, ms)
    // Halve the size at most, so a single pause of PostgreSQL has little effect.
    const next = Math.min(1.5 * this.#maxItems, Math.max(0.5 * this.#maxItems, fitting))
    this.#maxItems = Math.min(maxMessages, Math.max(minMessages, next))
  }
}
