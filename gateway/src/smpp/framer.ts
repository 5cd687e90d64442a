/**
 * Splits the byte stream of a session into frames of one PDU each, independent of how the network split it.
 *
 * A length below the header size or above the limit is refused before anything is allocated; the stream cannot be read
 * any further after it. A frame within one chunk is a view of it; one that spans chunks is copied once into a buffer of
 * its own size, so a PDU that arrives octet by octet takes linear time.
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

  /** Adds the next chunk. Frames of earlier chunks that were not read yet are kept. */
  push(chunk: Buffer): void {
    const rest = this.#chunk.length - this.#at
    this.#chunk = rest === 0 ? chunk : Buffer.concat([this.#chunk.subarray(this.#at), chunk])
    this.#at = 0
  }

  /** The next complete frame, or null until more octets arrive. Throws PduError on an invalid length. */
  next(): Buffer | null {
    if (this.#partial !== null) return this.#fill(this.#partial)
    const available = this.#chunk.length - this.#at
    if (this.#lengthFilled === 0 && available >= 4) {
      const length = this.#checked(this.#chunk.readUInt32BE(this.#at))
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
    const length = this.#checked(this.#length.readUInt32BE(0))
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

  #checked(length: number): number {
    if (length < headerBytes || length > this.#maxPduBytes) {
      throw new PduError(
        `command_length must be from ${headerBytes} to ${this.#maxPduBytes}, but is ${length}`,
        statuses.ESME_RINVCMDLEN,
      )
    }
    return length
  }
}
