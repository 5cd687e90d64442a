/**
 * Cuts the byte stream of a session into frames of one PDU each, however the network chopped it.
 *
 * A length below a header or above the cap is refused before anything is allocated: after it the stream has
 * no meaning any more. A frame that lies whole in one chunk is a view of it; one that spans chunks is copied
 * once into a buffer of its own size, so a PDU that arrives octet by octet costs linear time.
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

  /** Takes the next chunk. Frames of earlier chunks should have been taken; what is left is kept. */
  push(chunk: Buffer): void {
    const rest = this.#chunk.length - this.#at
    this.#chunk = rest === 0 ? chunk : Buffer.concat([this.#chunk.subarray(this.#at), chunk])
    this.#at = 0
  }

  /** The next whole frame, or null until more octets come. Throws PduError on an impossible length. */
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
      throw new PduError(`command_length ${length} is impossible`, statuses.ESME_RINVCMDLEN)
    }
    return length
  }
}
