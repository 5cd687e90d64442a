/**
 * Limits log lines of one kind to one every five seconds. While an engine is unavailable every request and every job fails,
 * and a line for each would fill the disk.
 */
const everyMs = 5_000
/** Bounds the memory. Kinds come from code, so the limit is not reached. */
const maxKinds = 1_000

export class RareLog {
  readonly #kinds = new Map<string, { atMs: number; suppressed: number }>()

  /** Returns undefined if the line must not be written, otherwise how many were suppressed since the last one. */
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
