/**
 * Caps label cardinality: only values with a large part of the events get a series, up to a limit; the rest share the
 * series `other`. A counter can then show which accounts cause the load.
 */

export const otherLabel = 'other'

const limits = {
  /** Maximum number of series. A value keeps its series, because a counter must not move back to `other`. */
  labels: 50,
  /** Minimum fraction of the events of a round for a new series. */
  fraction: 0.02,
  /** Events of a round. Events of values that have a series are not counted. */
  round: 1_000,
}

export class TopLabels {
  readonly #labelled = new Set<number>()
  #events = 0
  readonly #counts = new Map<number, number>()

  /** Counts an event and returns the value of its label. */
  getLabel(id: number): string {
    if (this.#labelled.has(id)) return String(id)
    if (this.#labelled.size >= limits.labels) return otherLabel
    if (++this.#events > limits.round) {
      this.#events = 0
      this.#counts.clear()
    }
    const count = (this.#counts.get(id) ?? 0) + 1
    this.#counts.set(id, count)
    if (count < limits.fraction * limits.round) return otherLabel
    this.#counts.delete(id)
    this.#labelled.add(id)
    return String(id)
  }
}
