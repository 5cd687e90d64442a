// Generates the codes of an authenticator app (RFC 6238: six digits, 30 seconds, HMAC-SHA-1), so that the
// operator of `npm run dev` signs in with the same two factors as any other.

import { createHmac } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const stepMs = 30_000

export function computeStep(ms: number): number {
  return Math.floor(ms / stepMs)
}

export function startOfStep(step: number): number {
  return step * stepMs
}

/** `secret` is in base32. */
export function computeCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const number = hash.readUInt32BE(hash.at(-1)! & 0x0f) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

function fromBase32(text: string): Buffer {
  const bits = text.replaceAll(/./g, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((octet) => parseInt(octet, 2)))
}
