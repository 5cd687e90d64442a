/**
 * Bounds the number of series of a label: only values with a large part of the events get a series, up to a limit; all
 * others share the series `other`. So a counter shows which accounts cause the load.
 */

export const otherLabel = 'other'

const limits = {
  /** The largest number of series. A value keeps its series, because a counter must not return to `other`. */
  labels: 50,
  /** The part of the events of a round that a value must have. */
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
