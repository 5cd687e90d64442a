/**
 * Reports to be polled. A batch that is not acknowledged in time is returned again under a new key. Reports
 * are pending until they are acknowledged.
 */
import { TimerWheel } from '../shared/timer-wheel.ts'
import type { WebhookCounters } from '../shared/webhook-sender.ts'
import type { Fields } from '../shared/json-body.ts'

const MAX_BATCH = 100

interface Batch {
  readonly reports: readonly Fields[]
  readonly expiresAt: number
}

export class ReportQueue {
  readonly #acknowledgeMs: number
  readonly #newKey: () => string
  readonly #counters: () => WebhookCounters
  readonly #open = new Map<string, Batch>()
  readonly #timers = new TimerWheel()
  #waiting: Fields[] = []

  constructor(acknowledgeMs: number, newKey: () => string, counters: () => WebhookCounters) {
    this.#acknowledgeMs = acknowledgeMs
    this.#newKey = newKey
    this.#counters = counters
  }

  add(report: Fields, delayMs: number): void {
    this.#counters().receiptsPending++
    if (delayMs === 0) this.#waiting.push(report)
    else this.#timers.after(delayMs, () => this.#waiting.push(report))
  }

  /** Returns the next batch, or undefined if the queue is empty. */
  poll(): Fields | undefined {
    for (const [key, { reports, expiresAt }] of this.#open) {
      if (expiresAt > Date.now()) continue
      this.#open.delete(key)
      this.#waiting = [...reports, ...this.#waiting]
      this.#counters().receiptsRepeated += reports.length
    }
    const rptLst = this.#waiting.splice(0, MAX_BATCH)
    if (rptLst.length === 0) return undefined
    const rptKey = this.#newKey()
    this.#open.set(rptKey, { reports: rptLst, expiresAt: Date.now() + this.#acknowledgeMs })
    this.#counters().receiptsSent += rptLst.length
    return { rptKey, rptCnt: rptLst.length, rptLst }
  }

  /** Returns false if no open batch has this key. */
  acknowledge(rptKey: string): boolean {
    const batch = this.#open.get(rptKey)
    if (batch === undefined) return false
    this.#open.delete(rptKey)
    this.#counters().receiptsAnswered += batch.reports.length
    this.#counters().receiptsPending -= batch.reports.length
    return true
  }

  clear(): void {
    this.#timers.clear()
    this.#open.clear()
    this.#waiting = []
  }
}
