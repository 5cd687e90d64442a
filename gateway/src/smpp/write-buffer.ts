/**
 * Collects the outgoing PDUs of a session until the end of the event loop turn, so that a burst of submissions is one
 * write to the socket. It knows exactly which octets were passed to the socket: what is still buffered when a
 * connection breaks was never sent, and its submission may be repeated.
 */
import type { EncodableBody } from './codec.ts'
import { encode } from './codec.ts'
import type { Kind } from './pdu.ts'

const slabBytes = 64 * 1024
/** Above any PDU we send: 17 short fields, 1,000 octets of text, 16 optional parameters of 204 octets. */
const reservedBytes = 6 * 1024

export class WriteBuffer {
  #slab = Buffer.allocUnsafeSlow(slabBytes)
  #start = 0
  #end = 0
  #full: Buffer[] = []
  #queued = 0
  #taken = 0

  /** Octets buffered so far in total; the stream position after the last PDU. */
  get queued(): number {
    return this.#queued
  }

  /** Octets taken so far in total. A PDU with a higher position is still buffered. */
  get taken(): number {
    return this.#taken
  }

  put<K extends Kind>(
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
    const end = encode(this.#slab, this.#end, kind, commandStatus, sequence, body)
    this.#queued += end - this.#end
    this.#end = end
  }

  /** Returns everything that is buffered. The octets belong to the caller; the next PDU is written after them. */
  take(): Buffer[] {
    const all = this.#full
    if (this.#end > this.#start) all.push(this.#slab.subarray(this.#start, this.#end))
    this.#start = this.#end
    this.#full = []
    this.#taken = this.#queued
    return all
  }

  /** Drops what was not taken, so that it is never sent. */
  discard(): void {
    this.#full = []
    this.#start = this.#end
  }
}
