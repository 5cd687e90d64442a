/**
 * Pending receipts of one system_id and the sessions that can carry them. Receipts are sent at least once: a
 * receipt is removed only when a client has answered it with status 0. Sessions are used in turn, up to the
 * window of unanswered receipts each. A silent session gets no more until it answers again, unless all bound
 * sessions are silent, so a hanging session does not withhold receipts from the others.
 */
import { Fifo } from '../shared/fifo.ts'
import type { Receipt } from './receipt.ts'

/** Bound session as seen by the mailbox. */
export interface ReceiptReceiver {
  hasCapacity(): boolean
  /** Whether unanswered receipts were taken back, after a timeout or by a reset, and no response has arrived since. */
  readonly silent: boolean
  sendReceipt(receipt: Receipt): void
}

export class Mailbox {
  readonly #receivers: ReceiptReceiver[] = []
  readonly #fresh = new Fifo<Receipt>()
  /** Receipts to resend. They are sent first because they are the oldest. */
  readonly #toResend = new Fifo<Receipt>()
  #turn = 0

  get isIdle(): boolean {
    return this.#receivers.length === 0 && this.#fresh.size + this.#toResend.size === 0
  }

  join(receiver: ReceiptReceiver): void {
    this.#receivers.push(receiver)
  }

  leave(receiver: ReceiptReceiver): void {
    const index = this.#receivers.indexOf(receiver)
    if (index >= 0) this.#receivers.splice(index, 1)
  }

  put(receipt: Receipt): void {
    if (receipt.sends > 0) this.#toResend.push(receipt)
    else this.#fresh.push(receipt)
  }

  #nextReceiver(): ReceiptReceiver | undefined {
    const allSilent = this.#receivers.every(({ silent }) => silent)
    for (let tried = 0; tried < this.#receivers.length; tried++) {
      const receiver = this.#receivers[this.#turn++ % this.#receivers.length]!
      if (receiver.hasCapacity() && (allSilent || !receiver.silent)) return receiver
    }
    return undefined
  }

  pump(): void {
    while (this.#fresh.size + this.#toResend.size > 0) {
      const receiver = this.#nextReceiver()
      if (receiver === undefined) return
      const receipt = this.#toResend.shift() ?? this.#fresh.shift()
      if (receipt !== undefined) receiver.sendReceipt(receipt)
    }
  }

  clear(): void {
    this.#fresh.clear()
    this.#toResend.clear()
  }
}
