import { runAbortable } from './abortable.ts'
import { QueueFullError } from './errors.ts'

/** Limits concurrent requests. At most `maxQueued` others wait, first in, first out. */
export class Slots {
  readonly #maxQueued: number
  readonly #waiting = new Set<() => void>()
  #free: number

  constructor(concurrency: number, maxQueued: number) {
    this.#free = concurrency
    this.#maxQueued = maxQueued
  }

  async run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    await this.#acquire(signal)
    try {
      return await work()
    } finally {
      this.#release()
    }
  }

  async #acquire(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (this.#free > 0) {
      this.#free--
      return
    }
    if (this.#waiting.size >= this.#maxQueued) throw new QueueFullError(this.#maxQueued)
    return runAbortable((resolve) => {
      this.#waiting.add(resolve)
      return () => this.#waiting.delete(resolve)
    }, signal)
  }

  #release(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#free++
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
