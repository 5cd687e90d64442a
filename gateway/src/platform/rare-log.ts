/**
 * One line of the log stands for many of the same kind: when an engine is unavailable every request and every job fails, and
 * a line for each would fill the disk (an API process wrote 500 MB in ten minutes while Redis was full). Used by the error
 * handler of the API and by everything that retries.
 */
const everyMs = 5_000
/** Kinds come from code, not from clients; a bound all the same. */
const maxKinds = 1_000

export class RareLog {
  readonly #kinds = new Map<string, { atMs: number; suppressed: number }>()

  /** How many were left out since the last line of this kind; undefined when this one is to be left out too. */
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
