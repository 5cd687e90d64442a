/** Bounds the requests at the same time. Others wait in order, at most `maxQueued` of them. */
import { abortable } from './abortable.ts'
import { QueueFullError } from './errors.ts'

export class Slots {
  readonly #maxQueued: number
  readonly #waiting = new Set<() => void>()
  #free: number

  constructor(concurrency: number, maxQueued: number) {
    this.#free = concurrency
    this.#maxQueued = maxQueued
  }

  async run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    await this.#take(signal)
    try {
      return await work()
    } finally {
      this.#release()
    }
  }

  async #take(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (this.#free > 0) {
      this.#free--
      return
    }
    if (this.#waiting.size >= this.#maxQueued) throw new QueueFullError(this.#maxQueued)
    return abortable((resolve) => {
      this.#waiting.add(resolve)
      return () => this.#waiting.delete(resolve)
    }, signal)
  }

  /** The slot goes to the first that waits. */
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
