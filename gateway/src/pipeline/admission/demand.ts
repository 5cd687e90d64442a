/** How much is asked for a second, as an average over about the last second. Times are monotonic milliseconds. */
const averageMs = 1_000

export class Demand {
  #perSecond = 0
  #atMs: number

  constructor(nowMs: number) {
    this.#atMs = nowMs
  }

  add(cost: number, nowMs: number): void {
    this.#perSecond = this.at(nowMs) + (cost * 1000) / averageMs
    this.#atMs = Math.max(this.#atMs, nowMs)
  }

  /** Per second. */
  at(nowMs: number): number {
    return this.#perSecond * Math.exp(-Math.max(0, nowMs - this.#atMs) / averageMs)
  }

  /** Time since something was last asked for. */
  idleMs(nowMs: number): number {
    return Math.max(0, nowMs - this.#atMs)
  }
}
