/**
 * The receipts one session has sent and not had answered. Promises that each is, in the end, either answered
 * with status 0 or handed back to be sent again. Numbers the requests the SMSC makes on the session.
 */
import type { PduWriter } from '../smpp/write.ts'
import type { Centre } from './centre.ts'
import { writeReceipt } from './receipt.ts'
import type { Receipt } from './receipt.ts'

const MAX_SEQUENCE = 0x7fffffff

export class Outbox {
  readonly #centre: Centre
  readonly #writer: PduWriter
  /** By sequence number, in order of sending. */
  readonly #unanswered = new Map<number, Receipt>()
  #sequence = 0

  constructor(centre: Centre, writer: PduWriter) {
    this.#centre = centre
    this.#writer = writer
  }

  get size(): number {
    return this.#unanswered.size
  }

  send(receipt: Receipt): void {
    const { counters } = this.#centre
    this.#sequence = this.#sequence === MAX_SEQUENCE ? 1 : this.#sequence + 1
    counters.receiptsSent++
    if (receipt.sends++ > 0) counters.receiptsRepeated++
    receipt.sentAt = Date.now()
    this.#unanswered.set(this.#sequence, receipt)
    writeReceipt(this.#writer, receipt, this.#sequence, receipt.sentAt)
  }

  /** False when nothing was waiting for this answer: it came too late, or twice. */
  answered(sequence: number, commandStatus: number): boolean {
    const receipt = this.#unanswered.get(sequence)
    if (receipt === undefined) return false
    const centre = this.#centre
    this.#unanswered.delete(sequence)
    if (commandStatus !== 0) {
      centre.receipts.after(centre.options.receiptRetryMs, () => centre.put(receipt))
      return true
    }
    centre.counters.receiptsAnswered++
    centre.counters.receiptsPending--
    receipt.onAnswered?.()
    return true
  }

  /** Gives up waiting for answers to the receipts sent before a time, or to all of them. */
  surrender(before = Infinity): Receipt[] {
    const given: Receipt[] = []
    for (const [sequence, receipt] of this.#unanswered) {
      if (receipt.sentAt >= before) break
      this.#unanswered.delete(sequence)
      given.push(receipt)
    }
    return given
  }

  /** Begins the wait for every answer anew. */
  rewind(): void {
    const now = Date.now()
    for (const receipt of this.#unanswered.values()) receipt.sentAt = now
  }
}
