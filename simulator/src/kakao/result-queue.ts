/**
 * Results to be polled, by channel key. A batch is returned again, unchanged, until it is completed; then the
 * next one follows. Results are pending until their batch is completed. With `forgetBatches`, the first poll
 * completes a batch. The caller limits the number of pending results.
 */
import { Fifo } from '../shared/fifo.ts'
import { TimerWheel } from '../shared/timer-wheel.ts'
import type { WebhookCounters } from '../shared/webhook-sender.ts'

export interface KakaoResult {
  readonly serial_number: string
  readonly status: string
  readonly received_at: string
}

export interface ResultBatch {
  readonly id: number
  readonly results: readonly KakaoResult[]
}

export class ResultQueue {
  readonly #batchSize: number
  readonly #forgetBatches: boolean
  readonly #counters: () => WebhookCounters
  readonly #waiting = new Map<string, Fifo<KakaoResult>>()
  readonly #open = new Map<string, ResultBatch>()
  readonly #timers = new TimerWheel()
  #arrivalListeners: (() => void)[] = []
  #lastId = 0

  constructor(batchSize: number, forget: boolean, counters: () => WebhookCounters) {
    this.#batchSize = batchSize
    this.#forgetBatches = forget
    this.#counters = counters
  }

  add(channelKey: string, result: KakaoResult, delayMs: number): void {
    this.#counters().receiptsPending++
    if (delayMs > 0) this.#timers.after(delayMs, () => this.#arrive(channelKey, result))
    else this.#arrive(channelKey, result)
  }

  /** Resolves when the next result of any channel arrives. */
  arrival(): Promise<void> {
    return new Promise((resolve) => this.#arrivalListeners.push(resolve))
  }

  #arrive(channelKey: string, result: KakaoResult): void {
    let waiting = this.#waiting.get(channelKey)
    if (waiting === undefined) this.#waiting.set(channelKey, (waiting = new Fifo()))
    waiting.push(result)
    const listeners = this.#arrivalListeners
    this.#arrivalListeners = []
    for (const listener of listeners) listener()
  }

  /** Returns the open batch of a channel or a new one; undefined if there are no results. */
  poll(channelKey: string): ResultBatch | undefined {
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
    if (this.#forgetBatches) this.#settle(batch)
    else this.#open.set(channelKey, batch)
    return batch
  }

  /** Returns false if no open batch has this id. */
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

  #settle({ results }: ResultBatch): void {
    this.#counters().receiptsAnswered += results.length
    this.#counters().receiptsPending -= results.length
  }

  #take(channelKey: string): KakaoResult[] {
    const waiting = this.#waiting.get(channelKey)
    const results: KakaoResult[] = []
    while (waiting !== undefined && waiting.size > 0 && results.length < this.#batchSize) {
      results.push(waiting.shift()!)
    }
    if (waiting?.size === 0) this.#waiting.delete(channelKey)
    return results
  }
}
