/**
 * The blind index of a recipient: 16 bytes of an HMAC under a key of its own, so that one number can be looked up where
 * numbers are not stored in clear. Equal numbers have equal values, which is all that it reveals without the key; with the
 * key, all numbers can be tried. Opened by `Encryption.blindIndex`. Synchronous: accept and dispatch call it.
 */
import { createHmac256 } from './hmac.ts'

/** The purpose of the key in `data_keys`. */
export const recipientIndexPurpose = 'recipient-index'
export const blindIndexBytes = 16

export interface BlindIndex {
  /** With an account, the same number has another value for each account; without one, the same for all. */
  of(recipient: string, accountId?: number): Buffer
}

export function createBlindIndex(key: Buffer): BlindIndex {
  const hmac = createHmac256(key)
  return {
    of: (recipient, accountId) =>
      hmac(Buffer.from(`${accountId ?? ''}\n${normalizeRecipient(recipient)}`)).subarray(0, blindIndexBytes),
  }
}

/** Returns one form of a number, however it is written: 010-1234-5678, 821012345678 and +82 10 1234 5678 are the same. */
export function normalizeRecipient(recipient: string): string {
  const digits = recipient.replace(/[\s().-]/g, '')
  const korean = /^(?:\+820?|82(?=10\d{8}$))(.*)$/.exec(digits)
  return korean === null ? digits : `0${korean[1]}`
}
