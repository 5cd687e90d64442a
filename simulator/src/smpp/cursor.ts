/**
 * Reads the fields of one PDU in order. Never reads past its end: a truncated field throws Malformed. Lengths
 * that are only illegal are left to validate.ts.
 */

export class Malformed extends Error {
  override readonly name = 'Malformed'
}

export interface Tlv {
  readonly tag: number
  readonly start: number
  readonly end: number
}

export class Cursor {
  readonly bytes: Buffer
  readonly end: number
  position: number

  constructor(bytes: Buffer, start: number, end: number) {
    this.bytes = bytes
    this.position = start
    this.end = end
  }

  uint8(): number {
    if (this.position >= this.end) throw new Malformed('an octet is missing')
    return this.bytes[this.position++]!
  }

  /** Reads a NUL-terminated string. A loop is faster than a native search, because most strings are short. */
  cstring(): string {
    const { bytes, position, end } = this
    let at = position
    while (at < end && bytes[at] !== 0) at++
    if (at >= end) throw new Malformed('a C-octet string has no end')
    this.position = at + 1
    return at === position ? '' : bytes.toString('latin1', position, at)
  }

  take(length: number): Buffer {
    const start = this.position
    if (start + length > this.end) throw new Malformed('an octet string is cut short')
    this.position = start + length
    return this.bytes.subarray(start, start + length)
  }

  /** Returns the next optional parameter, or undefined at the end of the PDU. */
  tlv(): Tlv | undefined {
    if (this.position === this.end) return undefined
    if (this.position + 4 > this.end) throw new Malformed('an optional parameter is cut short')
    const tag = this.bytes.readUInt16BE(this.position)
    const start = this.position + 4
    const end = start + this.bytes.readUInt16BE(this.position + 2)
    if (end > this.end) throw new Malformed('an optional parameter is cut short')
    this.position = end
    return { tag, start, end }
  }
}
