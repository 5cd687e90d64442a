/**
 * The pending receipts of one system_id, and the sessions that can carry them. Delivery is at least once: a receipt
 * is removed only when a client has answered it with status 0. Sessions are used in turn; none has more unanswered
 * receipts than the window allows. A session that has let a receipt time out gets no more before it answers again, while
 * another session is bound: a client that hangs must not hold up the receipts that its other sessions can take.
 */
import { Fifo } from '../shared/fifo.ts'
import type { Receipt } from './receipt.ts'

/** A bound session as the mailbox sees it. */
export interface Receiver {
  hasCapacity(): boolean
  /** It has let a receipt time out and has answered none since. */
  readonly silent: boolean
  deliver(receipt: Receipt): void
}

export class Mailbox {
  readonly #receivers: Receiver[] = []
  readonly #fresh = new Fifo<Receipt>()
  /** Receipts to resend. They go first: they are the oldest. */
  readonly #again = new Fifo<Receipt>()
  #turn = 0

  get isIdle(): boolean {
    return this.#receivers.length === 0 && this.#fresh.size + this.#again.size === 0
  }

  join(receiver: Receiver): void {
    this.#receivers.push(receiver)
  }

  leave(receiver: Receiver): void {
    const index = this.#receivers.indexOf(receiver)
    if (index >= 0) this.#receivers.splice(index, 1)
  }

  put(receipt: Receipt): void {
    if (receipt.sends > 0) this.#again.push(receipt)
    else this.#fresh.push(receipt)
  }

  #nextReceiver(): Receiver | undefined {
    const allSilent = this.#receivers.every(({ silent }) => silent)
    for (let tried = 0; tried < this.#receivers.length; tried++) {
      const receiver = this.#receivers[this.#turn++ % this.#receivers.length]!
      if (receiver.hasCapacity() && (allSilent || !receiver.silent)) return receiver
    }
    return undefined
  }

  pump(): void {
    while (this.#fresh.size + this.#again.size > 0) {
      const receiver = this.#nextReceiver()
      if (receiver === undefined) return
      const receipt = this.#again.shift() ?? this.#fresh.shift()
      if (receipt !== undefined) receiver.deliver(receipt)
    }
  }

  clear(): void {
    this.#fresh.clear()
    this.#again.clear()
  }
}
