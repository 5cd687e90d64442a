/** Latencies in bins of 10 µs up to one second: constant memory, no sorting, exact enough for percentiles. */
const binsPerMs = 100
const bins = 1000 * binsPerMs

export class Latencies {
  readonly #counts = new Uint32Array(bins + 1)
  #total = 0

  add(ms: number): void {
    this.#counts[Math.min(bins, Math.floor(ms * binsPerMs))]!++
    this.#total++
  }

  /** The upper edge of the bin in which that share of all latencies ends; 0 when there are none. */
  percentile(share: number): number {
    const rank = Math.ceil(this.#total * share)
    let seen = 0
    for (let bin = 0; bin <= bins && rank > 0; bin++) {
      seen += this.#counts[bin]!
      if (seen >= rank) return (bin + 1) / binsPerMs
    }
    return 0
  }
}
