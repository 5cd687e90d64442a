/**
 * Unanswered receipts of one session. Each is either answered with status 0 or returned for resending.
 * Assigns the sequence numbers of the SMSC's requests on the session.
 */
import type { PduWriter } from '../smpp/write.ts'
import type { SmscState } from './smsc-state.ts'
import { writeReceipt } from './receipt.ts'
import type { Receipt } from './receipt.ts'

const MAX_SEQUENCE = 0x7fffffff

export class Outbox {
  readonly #state: SmscState
  readonly #writer: PduWriter
  /** Receipts by sequence number, in sending order. */
  readonly #unanswered = new Map<number, Receipt>()
  #sequence = 0
  /** Whether unanswered receipts were taken back, after a timeout or by a reset, and no response has arrived since. */
  silent = false

  constructor(state: SmscState, writer: PduWriter) {
    this.#state = state
    this.#writer = writer
  }

  get size(): number {
    return this.#unanswered.size
  }

  send(receipt: Receipt): void {
    const { counters } = this.#state
    this.#sequence = this.#sequence === MAX_SEQUENCE ? 1 : this.#sequence + 1
    counters.receiptsSent++
    if (receipt.sends++ > 0) counters.receiptsRepeated++
    receipt.sentAt = Date.now()
    this.#unanswered.set(this.#sequence, receipt)
    writeReceipt(this.#writer, receipt, this.#sequence, receipt.sentAt)
  }

  /** Returns false for a late or repeated response, for which no receipt is waiting. */
  handleResponse(sequence: number, commandStatus: number): boolean {
    this.silent = false
    const receipt = this.#unanswered.get(sequence)
    if (receipt === undefined) return false
    const state = this.#state
    this.#unanswered.delete(sequence)
    if (commandStatus !== 0) {
      state.receipts.after(state.options.receiptRetryMs, () => state.queueReceipt(receipt))
      return true
    }
    state.counters.receiptsAnswered++
    state.counters.receiptsPending--
    receipt.onAnswered?.()
    return true
  }

  /**
   * Removes and returns the unanswered receipts sent before a time, by default all. If there are any, the session
   * counts as silent.
   */
  takeUnanswered(before = Infinity): Receipt[] {
    const taken: Receipt[] = []
    for (const [sequence, receipt] of this.#unanswered) {
      if (receipt.sentAt >= before) break
      this.#unanswered.delete(sequence)
      taken.push(receipt)
    }
    if (taken.length > 0) this.silent = true
    return taken
  }

  /** Restarts the timeout of every receipt. */
  restartTimeouts(): void {
    const now = Date.now()
    for (const receipt of this.#unanswered.values()) receipt.sentAt = now
  }
}
