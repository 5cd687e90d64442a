/**
 * Limits log lines of one kind to one every five seconds, so that an outage, in which every request and every
 * job fails, does not fill the disk.
 */
const everyMs = 5_000
/** Bounds the memory. There are far fewer kinds, unless one contains a value that a peer chooses. */
const maxKinds = 1_000

export class ThrottledLog {
  readonly #kinds = new Map<string, { atMs: number; suppressed: number }>()

  /**
   * Returns undefined if the line must not be written, otherwise the number of lines suppressed since the
   * last one.
   */
  due(kind: string, nowMs = performance.now()): number | undefined {
    const last = this.#kinds.get(kind)
    if (last !== undefined && nowMs - last.atMs < everyMs) {
      last.suppressed++
      return undefined
    }
    if (this.#kinds.size >= maxKinds) this.#kinds.clear()
    this.#kinds.set(kind, { atMs: nowMs, suppressed: 0 })
    return last?.suppressed ?? 0
  }
}
