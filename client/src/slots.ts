/** Bounds the requests at the same time. Others wait in order, at most `maxQueued` of them. */
import { QueueFullError } from './errors.ts'

export class Slots {
  readonly #maxQueued: number
  readonly #waiting: (() => void)[] = []
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
    if (this.#waiting.length >= this.#maxQueued) throw new QueueFullError(this.#maxQueued)
    await new Promise<void>((resolve, reject) => {
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(next), 1)
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the caller's own reason
        reject(signal!.reason)
      }
      const next = (): void => {
        signal?.removeEventListener('abort', giveUp)
        resolve()
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      this.#waiting.push(next)
    })
  }

  /** The slot goes to the first that waits. */
  #release(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free++
    else next()
  }
}
