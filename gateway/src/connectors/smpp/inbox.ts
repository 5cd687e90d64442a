/**
 * Bounds what a carrier has handed us and we have not yet made durable. It belongs to a link and outlives its
 * sessions, so reconnecting cannot lift the bound.
 *
 * At the bound the session stops listening, for `stallMs` at most. If the store is still stuck then, it
 * listens again and answers each further delivery with a temporary error, so the carrier redelivers later:
 * responses and enquire_links share the stream with receipts and must not starve behind them.
 */
import type { PduOf } from './pdu.ts'
import { statuses } from './status.ts'

export type Delivery = PduOf<'deliver_sm'> | PduOf<'data_sm'>

/** The session that is listening now. */
export interface Valve {
  pause(): void
  resume(): void
}

export class Inbox {
  readonly #limit: number
  readonly #stallMs: number
  readonly #handle: (delivery: Delivery) => Promise<number>
  readonly #onShedding: () => void
  #inHand = 0
  #shedding = false
  #valve: Valve | null = null
  #stall: NodeJS.Timeout | undefined

  /**
   * `handle` resolves with the command_status to answer; a rejection is answered as temporary. Before its first
   * await it must have read all that it needs: the octets of a delivery are not its own.
   */
  constructor(
    limit: number,
    stallMs: number,
    handle: (delivery: Delivery) => Promise<number>,
    onShedding: () => void,
  ) {
    this.#limit = limit
    this.#stallMs = stallMs
    this.#handle = handle
    this.#onShedding = onShedding
  }

  get inHand(): number {
    return this.#inHand
  }

  attach(valve: Valve): void {
    this.#valve = valve
  }

  detach(): void {
    clearTimeout(this.#stall)
    this.#valve = null
  }

  /** `reply` is called once: at once when the bound is reached, else when the delivery was handled. */
  take(delivery: Delivery, reply: (commandStatus: number) => void): void {
    if (this.#inHand >= this.#limit) return reply(statuses.ESME_RX_T_APPN)
    this.#inHand += 1
    const done = (commandStatus: number): void => {
      this.#inHand -= 1
      reply(commandStatus)
      this.#relieve()
    }
    this.#handle(delivery).then(done, () => done(statuses.ESME_RX_T_APPN))
    if (this.#inHand >= this.#limit && !this.#shedding) this.#pause()
  }

  #pause(): void {
    this.#valve?.pause()
    clearTimeout(this.#stall)
    this.#stall = setTimeout(() => {
      this.#shedding = true
      this.#onShedding()
      this.#valve?.resume()
    }, this.#stallMs)
  }

  // Well below the bound, or at the bound every single receipt would stop and start the socket.
  #relieve(): void {
    if (this.#inHand > this.#limit * 0.75) return
    this.#shedding = false
    clearTimeout(this.#stall)
    this.#valve?.resume()
  }
}
