/**
 * Codes of an authenticator app: time-based one-time passwords (RFC 6238) of six digits and 30 seconds, by
 * HMAC-SHA-1, which all apps support.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export type TotpAlgorithm = 'sha1' | 'sha256' | 'sha512'

const stepMs = 30_000
const digits = 6
/** Clocks of phones differ: the previous and the next code are also accepted. */
const tolerance = 1
/** The output length of the HMAC, as RFC 4226 recommends. */
const secretBytes = 20
const issuer = 'Postern'

export function createTotpSecret(): string {
  return toBase32(randomBytes(secretBytes))
}

/** Computes the code of RFC 4226 for the counter of RFC 6238. */
export function computeTotp(
  secret: Buffer,
  step: number,
  options: { readonly digits?: number; readonly algorithm?: TotpAlgorithm } = {},
): string {
  const { digits: length = digits, algorithm = 'sha1' } = options
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac(algorithm, secret).update(counter).digest()
  const offset = hash.at(-1)! & 0x0f
  const number = hash.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** length).padStart(length, '0')
}

export function toTotpStep(ms: number): number {
  return Math.floor(ms / stepMs)
}

/**
 * Returns the step of the code; null if it is wrong or too old, or if its step is not after `lastStep`, the last one that was
 * used.
 */
export function findTotpStep(secret: string, code: string, ms: number, lastStep: number): number | null {
  const codeBytes = Buffer.from(code)
  if (codeBytes.length !== digits) return null
  const bytes = fromBase32(secret)
  const now = toTotpStep(ms)
  let matchingStep: number | null = null
  for (let step = Math.max(0, now - tolerance); step <= now + tolerance; step++)
    if (timingSafeEqual(codeBytes, Buffer.from(computeTotp(bytes, step))) && step > lastStep)
      matchingStep = step
  return matchingStep
}

/** Builds the URI that an authenticator app reads from a QR code or a link. */
export function otpauthUri(name: string, secret: string): string {
  const label = `${issuer}:${encodeURIComponent(name)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${issuer}&algorithm=SHA1&digits=${digits}&period=${stepMs / 1000}`
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Encodes in base32 (RFC 4648), without padding. */
export function toBase32(bytes: Buffer): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet[(value >> bits) & 31]!
    }
  }
  return bits === 0 ? text : text + alphabet[(value << (5 - bits)) & 31]!
}

export function fromBase32(text: string): Buffer {
  const bytes: number[] = []
  let bits = 0
  let value = 0
  for (const letter of text) {
    const index = alphabet.indexOf(letter)
    if (index === -1) throw new Error('the secret of a second factor is not base32')
    value = ((value << 5) | index) & 0xfff
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes.push((value >> bits) & 0xff)
    }
  }
  return Buffer.from(bytes)
}
