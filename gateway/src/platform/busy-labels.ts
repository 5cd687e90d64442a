/**
 * Values of a label that would have too many: only those with a large part of the events get a series of their own, up to a
 * limit; all others share one, `other`. So a counter answers who causes the load at a bounded cost. Memory is bounded too.
 */

export const otherLabel = 'other'

const limits = {
  /** Series of their own, for as long as the process runs: a counter must not go back into `other`. */
  labels: 50,
  /** Part of the events of a round that a value must have. */
  share: 0.02,
  /** Events of a round. */
  round: 1_000,
}

export class BusyLabels {
  readonly #own = new Set<number>()
  #events = 0
  readonly #counts = new Map<number, number>()

  /** Counts an event and returns the value of its label. */
  labelOf(id: number): string {
    if (this.#own.has(id)) return String(id)
    if (this.#own.size >= limits.labels) return otherLabel
    if (++this.#events > limits.round) {
      this.#events = 0
      this.#counts.clear()
    }
    const count = (this.#counts.get(id) ?? 0) + 1
    this.#counts.set(id, count)
    if (count < limits.share * limits.round) return otherLabel
    this.#counts.delete(id)
    this.#own.add(id)
    return String(id)
  }
}
