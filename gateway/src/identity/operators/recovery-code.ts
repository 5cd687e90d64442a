/**
 * Recovery codes for an operator whose authenticator app is lost: ten of 80 random bits, shown once at the
 * enrolment, each valid once. The SHA-256 is stored, which is sufficient for a secret that cannot be guessed.
 */
import { createHash, randomBytes } from 'node:crypto'
import { toBase32 } from './totp.ts'

const count = 10
const bytes = 10

/** Returns codes of four groups of four letters and digits, such as `MZXW-6YTB-OI2D-7QKM`. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: count }, () => toBase32(randomBytes(bytes)).match(/.{4}/g)!.join('-'))
}

/** Hashes a text that has the form of a recovery code, in any grouping; returns null for any other text. */
export function hashRecoveryCode(text: string): string | null {
  const letters = text.toUpperCase().replaceAll(/[\s-]/g, '')
  return /^[A-Z2-7]{16}$/.test(letters) ? createHash('sha256').update(letters).digest('hex') : null
}
