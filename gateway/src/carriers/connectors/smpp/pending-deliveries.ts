/**
 * Limits the deliveries of a carrier that are not durable yet. Belongs to a link and outlives its sessions, so that
 * reconnecting does not reset the limit.
 *
 * At the limit the session stops reading, for at most `stallMs` (back-pressure). If deliveries are still not stored, the
 * session reads again and refuses each further delivery with a temporary error, so that the carrier delivers it again later
 * (load shedding): responses and enquire_links share the stream with receipts and must not wait behind them.
 */
import type { PduOf } from '../../smpp/pdu.ts'
import { statuses } from '../../smpp/status.ts'

export type SmppDelivery = PduOf<'deliver_sm'> | PduOf<'data_sm'>

/** The connection of the current session. */
export interface PausableReader {
  pause(): void
  resume(): void
}

export class PendingDeliveries {
  readonly #limit: number
  readonly #stallMs: number
  readonly #handle: (delivery: SmppDelivery) => Promise<number>
  readonly #onShedding: () => void
  #count = 0
  #shedding = false
  #reader: PausableReader | null = null
  #stall: NodeJS.Timeout | undefined

  /**
   * `handle` resolves to the command_status of the response; a rejection causes a temporary error. It must read the delivery
   * before its first await, because the octets belong to the read buffer.
   */
  constructor(
    limit: number,
    stallMs: number,
    handle: (delivery: SmppDelivery) => Promise<number>,
    onShedding: () => void,
  ) {
    this.#limit = limit
    this.#stallMs = stallMs
    this.#handle = handle
    this.#onShedding = onShedding
  }

  get count(): number {
    return this.#count
  }

  attach(reader: PausableReader): void {
    this.#reader = reader
  }

  detach(): void {
    clearTimeout(this.#stall)
    this.#reader = null
  }

  /** Calls `respond` once: immediately if the limit is reached, otherwise after the delivery was handled. */
  add(delivery: SmppDelivery, respond: (commandStatus: number) => void): void {
    if (this.#count >= this.#limit) return respond(statuses.ESME_RX_T_APPN)
    this.#count += 1
    const done = (commandStatus: number): void => {
      this.#count -= 1
      respond(commandStatus)
      this.#resume()
    }
    this.#handle(delivery).then(done, () => done(statuses.ESME_RX_T_APPN))
    if (this.#count >= this.#limit && !this.#shedding) this.#pause()
  }

  #pause(): void {
    this.#reader?.pause()
    clearTimeout(this.#stall)
    this.#stall = setTimeout(() => {
      this.#shedding = true
      this.#onShedding()
      this.#reader?.resume()
    }, this.#stallMs)
  }

  // Resumes well below the limit; otherwise every single receipt at the limit would pause and resume the socket.
  #resume(): void {
    if (this.#count > this.#limit * 0.75) return
    this.#shedding = false
    clearTimeout(this.#stall)
    this.#reader?.resume()
  }
}
