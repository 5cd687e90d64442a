/**
 * Splits a TCP byte stream into PDUs. Frames are complete and in order, and an impossible length is reported before
 * anything is allocated for it. Does not read the content.
 */
import { HEADER_BYTES, MAX_PDU_BYTES } from './protocol.ts'

/** Returns false to stop: the rest of the stream is then ignored. */
export type OnFrame = (bytes: Buffer, start: number, end: number) => boolean

const NOTHING = Buffer.alloc(0)

export class FrameReader {
  #rest: Buffer = NOTHING

  /** Returns false when the stream has an impossible length and cannot be read further. */
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
