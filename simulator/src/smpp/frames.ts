/**
 * Splits a TCP byte stream into complete PDUs, in order, without reading their content. Detects an impossible
 * length before allocating memory for it.
 */
import { HEADER_BYTES, MAX_PDU_BYTES } from './protocol.ts'

/** Returns false to ignore the rest of the stream. */
export type OnFrame = (bytes: Buffer, start: number, end: number) => boolean

const NOTHING = Buffer.alloc(0)

export class FrameReader {
  #rest: Buffer = NOTHING

  /** Returns false if the stream has an impossible length and cannot be read further. */
  push(chunk: Buffer, onFrame: OnFrame): boolean {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    this.#rest = NOTHING
    let start = 0
    while (bytes.length - start >= 4) {
      const length = bytes.readUInt32BE(start)
      if (length < HEADER_BYTES || length > MAX_PDU_BYTES) return false
      if (bytes.length - start < length) break
      if (!onFrame(bytes, start, start + length)) return true
      start += length
    }
    if (start < bytes.length) this.#rest = bytes.subarray(start)
    return true
  }
}
