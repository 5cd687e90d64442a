/** HMAC-SHA-256 (RFC 2104) for many short texts under one key. Synchronous: accept and dispatch call it. */
import { hash } from 'node:crypto'

const blockBytes = 64
const digestBytes = 32

/** How many bytes `hexOf` needs before the data. */
export const hmacRoom = blockBytes

/**
 * Of two one-shot hashes, whose first blocks are prepared. As hexadecimal text, because a buffer of the library's own costs 1.3 µs and
 * work for the collector: 1.5 µs instead of 3.4, and of the 16 of `createHmac`.
 */
export class Hmac256 {
  readonly #inner = Buffer.alloc(blockBytes, 0x36)
  readonly #outer = Buffer.alloc(blockBytes + digestBytes, 0x5c)

  constructor(key: Buffer) {
    if (key.length > blockBytes) throw new Error(`a key of an HMAC has at most ${blockBytes} bytes`)
    for (const [at, byte] of key.entries()) {
      this.#inner[at]! ^= byte
      this.#outer[at]! ^= byte
    }
  }

  /** Of what follows the first `hmacRoom` bytes, which it overwrites: the data is not copied. */
  hexOf(data: Buffer): string {
    this.#inner.copy(data)
    this.#outer.write(hash('sha256', data, 'hex'), blockBytes, 'hex')
    return hash('sha256', this.#outer, 'hex')
  }

  digest(data: Buffer): Buffer {
    const hashed = Buffer.allocUnsafe(hmacRoom + data.length)
    data.copy(hashed, hmacRoom)
    return Buffer.from(this.hexOf(hashed), 'hex')
  }
}

export function createHmac256(key: Buffer): (data: Buffer) => Buffer {
  const hmac = new Hmac256(key)
  return (data) => hmac.digest(data)
}
