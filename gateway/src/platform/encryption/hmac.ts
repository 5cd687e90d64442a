/** HMAC-SHA-256 (RFC 2104) for many short texts under one key. Synchronous: accept and dispatch call it. */
import { hash } from 'node:crypto'

const blockBytes = 64
const digestBytes = 32

/**
 * Of two one-shot hashes, whose first blocks are prepared. As hexadecimal text, because a buffer of the library's own costs 1.3 µs and
 * work for the collector: 1.5 µs instead of 3.4, and of the 16 of `createHmac`.
 */
export function createHmac256(key: Buffer): (data: Buffer) => Buffer {
  if (key.length > blockBytes) throw new Error(`a key of an HMAC has at most ${blockBytes} bytes`)
  const inner = Buffer.alloc(blockBytes, 0x36)
  const outer = Buffer.alloc(blockBytes + digestBytes, 0x5c)
  for (const [at, byte] of key.entries()) {
    inner[at]! ^= byte
    outer[at]! ^= byte
  }
  return (data) => {
    const hashed = Buffer.allocUnsafe(blockBytes + data.length)
    inner.copy(hashed)
    data.copy(hashed, blockBytes)
    outer.write(hash('sha256', hashed, 'hex'), blockBytes, 'hex')
    return Buffer.from(hash('sha256', outer, 'hex'), 'hex')
  }
}
