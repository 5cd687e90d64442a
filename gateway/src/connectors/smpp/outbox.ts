/**
 * Gathers what a session has to say until the end of the event loop's turn, so that a burst of submissions is
 * one write to the socket. It knows exactly which octets were handed over: what still lies here when a
 * connection breaks surely never left, and its submission may be repeated.
 */
import type { EncodableBody } from './codec.ts'
import { encode } from './codec.ts'
import type { Kind } from './pdu.ts'

const slabBytes = 64 * 1024
/** Far above any PDU we send: 17 short fields, 255 octets of text, no optional parameters. */
const roomBytes = 2 * 1024

export class Outbox {
  #slab = Buffer.allocUnsafeSlow(slabBytes)
  #start = 0
  #end = 0
  #full: Buffer[] = []
  #queued = 0
  #taken = 0

  /** Octets ever put in; the position behind the last PDU. */
  get queued(): number {
    return this.#queued
  }

  /** Octets ever taken out. A PDU whose position is greater is still here. */
  get taken(): number {
    return this.#taken
  }

  put<K extends Kind>(
    kind: K,
    commandStatus: number,
    sequence: number,
    body: NoInfer<EncodableBody<K>>,
  ): void {
    if (slabBytes - this.#end < roomBytes) {
      this.#full.push(this.#slab.subarray(this.#start, this.#end))
      this.#slab = Buffer.allocUnsafeSlow(slabBytes)
      this.#start = this.#end = 0
    }
    const end = encode(this.#slab, this.#end, kind, commandStatus, sequence, body)
    this.#queued += end - this.#end
    this.#end = end
  }

  /** Hands over everything. The octets belong to the caller: this slab's next PDU goes behind them. */
  take(): Buffer[] {
    const all = this.#full
    if (this.#end > this.#start) all.push(this.#slab.subarray(this.#start, this.#end))
    this.#start = this.#end
    this.#full = []
    this.#taken = this.#queued
    return all
  }

  /** Forgets what was not taken: it must not leave any more. */
  discard(): void {
    this.#full = []
    this.#start = this.#end
  }
}
