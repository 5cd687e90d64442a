/**
 * Collects the outgoing PDUs of a session until `take`, which is called at the end of the event loop turn, so that a burst of submissions is one write
 * to the socket. Tracks which octets were passed to the socket: a PDU that is still buffered when a connection breaks was
 * never sent, and its submission can be repeated.
 */
import type { EncodableBody } from './codec.ts'
import { encodePdu } from './codec.ts'
import type { PduKind } from './pdu.ts'

const slabBytes = 64 * 1024
/** Larger than any PDU that we send: 17 short fields, 1,000 octets of text, 16 optional parameters of 205 octets. */
const reservedBytes = 6 * 1024

export class WriteBuffer {
  #slab = Buffer.allocUnsafeSlow(slabBytes)
  #start = 0
  #end = 0
  #full: Buffer[] = []
  #queued = 0
  #taken = 0

  /** Total octets buffered so far: the stream position after the last PDU. */
  get queued(): number {
    return this.#queued
  }

  /**
   * Total octets taken so far. A PDU with a higher position was not passed to the socket. Read it before `discard`: afterwards
   * the dropped octets count as taken.
   */
  get taken(): number {
    return this.#taken
  }

  put<K extends PduKind>(
    kind: K,
    commandStatus: number,
    sequence: number,
    body: NoInfer<EncodableBody<K>>,
  ): void {
    if (slabBytes - this.#end < reservedBytes) {
      this.#full.push(this.#slab.subarray(this.#start, this.#end))
      this.#slab = Buffer.allocUnsafeSlow(slabBytes)
      this.#start = this.#end = 0
    }
    const end = encodePdu(this.#slab, this.#end, kind, commandStatus, sequence, body)
    this.#queued += end - this.#end
    this.#end = end
  }

  /** Returns all buffered octets. They belong to the caller; the next PDU is written after them. */
  take(): Buffer[] {
    const octets = this.#full
    if (this.#end > this.#start) octets.push(this.#slab.subarray(this.#start, this.#end))
    this.#start = this.#end
    this.#full = []
    this.#taken = this.#queued
    return octets
  }

  /** Drops buffered octets, so that they are never sent. */
  discard(): void {
    this.#full = []
    this.#start = this.#end
  }
}
