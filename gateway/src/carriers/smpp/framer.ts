/**
 * Splits the byte stream of a session into frames of one PDU each, independent of the network's chunks.
 *
 * Refuses a length below the header size or above the limit before allocating anything; the stream is unreadable after it. A
 * frame within one chunk is a view of it. A frame that spans chunks is copied once into its own buffer, so a PDU that
 * arrives octet by octet takes linear time.
 */
import { headerBytes, PduError } from './pdu.ts'
import { statuses } from './status.ts'

const noOctets = Buffer.alloc(0)

export class Framer {
  readonly #maxPduBytes: number
  #chunk: Buffer = noOctets
  #at = 0
  readonly #length = Buffer.alloc(4)
  #lengthFilled = 0
  #partial: Buffer | null = null
  #partialFilled = 0

  constructor(maxPduBytes: number) {
    this.#maxPduBytes = maxPduBytes
  }

  /** Adds the next chunk. Keeps frames of earlier chunks that were not read yet. */
  push(chunk: Buffer): void {
    const remaining = this.#chunk.length - this.#at
    this.#chunk = remaining === 0 ? chunk : Buffer.concat([this.#chunk.subarray(this.#at), chunk])
    this.#at = 0
  }

  /** Returns the next complete frame, or null until more octets arrive. Throws PduError for an invalid length. */
  next(): Buffer | null {
    if (this.#partial !== null) return this.#fill(this.#partial)
    const available = this.#chunk.length - this.#at
    if (this.#lengthFilled === 0 && available >= 4) {
      const length = this.#checkLength(this.#chunk.readUInt32BE(this.#at))
      if (available >= length) {
        const frame = this.#chunk.subarray(this.#at, this.#at + length)
        this.#at += length
        return frame
      }
      return this.#begin(length)
    }
    while (this.#lengthFilled < 4 && this.#at < this.#chunk.length) {
      this.#length[this.#lengthFilled] = this.#chunk[this.#at]!
      this.#lengthFilled += 1
      this.#at += 1
    }
    if (this.#lengthFilled < 4) return null
    const length = this.#checkLength(this.#length.readUInt32BE(0))
    this.#lengthFilled = 0
    return this.#begin(length, this.#length)
  }

  #begin(length: number, head: Buffer = noOctets): Buffer | null {
    const partial = Buffer.allocUnsafe(length)
    this.#partialFilled = head.copy(partial)
    this.#partial = partial
    return this.#fill(partial)
  }

  #fill(partial: Buffer): Buffer | null {
    const copied = this.#chunk.copy(partial, this.#partialFilled, this.#at)
    this.#at += copied
    this.#partialFilled += copied
    if (this.#partialFilled < partial.length) return null
    this.#partial = null
    return partial
  }

  #checkLength(length: number): number {
    if (length < headerBytes || length > this.#maxPduBytes) {
      throw new PduError(
        `command_length must be ${headerBytes} to ${this.#maxPduBytes}, got ${length}`,
        statuses.ESME_RINVCMDLEN,
      )
    }
    return length
  }
}
