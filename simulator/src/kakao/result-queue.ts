/**
 * Results that wait to be polled, by channel key. A batch is given again, unchanged, until it is completed; then the
 * next one follows. Every result is counted as pending until its batch is completed. The caller bounds what is pending.
 */
import { Fifo } from '../shared/fifo.ts'
import { TimerWheel } from '../shared/timer-wheel.ts'
import type { WebhookCounters } from '../shared/webhook-sender.ts'

export interface Result {
  readonly serial_number: string
  readonly status: string
  readonly received_at: string
}

export interface Batch {
  readonly id: number
  readonly results: readonly Result[]
}

export class ResultQueue {
  readonly #batchSize: number
  readonly #forget: boolean
  readonly #counters: () => WebhookCounters
  readonly #waiting = new Map<string, Fifo<Result>>()
  readonly #open = new Map<string, Batch>()
  readonly #timers = new TimerWheel()
  #arrived: (() => void)[] = []
  #lastId = 0

  constructor(batchSize: number, forget: boolean, counters: () => WebhookCounters) {
    this.#batchSize = batchSize
    this.#forget = forget
    this.#counters = counters
  }

  add(channelKey: string, result: Result, delayMs: number): void {
    this.#counters().receiptsPending++
    if (delayMs > 0) this.#timers.after(delayMs, () => this.#arrive(channelKey, result))
    else this.#arrive(channelKey, result)
  }

  /** Resolves when the next result arrives, of any channel. */
  arrival(): Promise<void> {
    return new Promise((resolve) => this.#arrived.push(resolve))
  }

  #arrive(channelKey: string, result: Result): void {
    let waiting = this.#waiting.get(channelKey)
    if (waiting === undefined) this.#waiting.set(channelKey, (waiting = new Fifo()))
    waiting.push(result)
    const listeners = this.#arrived
    this.#arrived = []
    for (const listener of listeners) listener()
  }

  /** The open batch of a channel, or a new one; undefined when there is no result. */
  poll(channelKey: string): Batch | undefined {
    const counters = this.#counters()
    const open = this.#open.get(channelKey)
    if (open !== undefined) {
      counters.receiptsSent += open.results.length
      counters.receiptsRepeated += open.results.length
      return open
    }
    const results = this.#take(channelKey)
    if (results.length === 0) return undefined
    const batch = { id: ++this.#lastId, results }
    counters.receiptsSent += results.length
    if (this.#forget) this.#settle(batch)
    else this.#open.set(channelKey, batch)
    return batch
  }

  /** False when no open batch has this id. */
  complete(id: number): boolean {
    const found = [...this.#open].find(([, batch]) => batch.id === id)
    if (found === undefined) return false
    this.#open.delete(found[0])
    this.#settle(found[1])
    return true
  }

  clear(): void {
    this.#timers.clear()
    this.#waiting.clear()
    this.#open.clear()
  }

  #settle({ results }: Batch): void {
    this.#counters().receiptsAnswered += results.length
    this.#counters().receiptsPending -= results.length
  }

  #take(channelKey: string): Result[] {
    const waiting = this.#waiting.get(channelKey)
    const results: Result[] = []
    while (waiting !== undefined && waiting.size > 0 && results.length < this.#batchSize) {
      results.push(waiting.shift()!)
    }
    if (waiting?.size === 0) this.#waiting.delete(channelKey)
    return results
  }
}
