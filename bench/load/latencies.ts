/** Counts latencies in bins of 10 µs, in constant memory and without sorting. Those above one second share the last bin. */
const binsPerMs = 100
const bins = 1000 * binsPerMs

export class Latencies {
  readonly #counts = new Uint32Array(bins + 1)
  #total = 0

  add(ms: number): void {
    this.#counts[Math.min(bins, Math.floor(ms * binsPerMs))]!++
    this.#total++
  }

  /** Returns the upper edge of the bin in which that share of all latencies ends, or 0 without latencies. */
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
