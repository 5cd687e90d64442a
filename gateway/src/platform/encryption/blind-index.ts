/**
 * Blind index of recipients: 16 bytes of an HMAC under a separate key, which finds a number where numbers are
 * not stored in plaintext. Equal numbers have equal values. Without the key nothing else can be derived; with
 * the key all numbers can be tried.
 */
import { createHmac, type KeyObject } from 'node:crypto'
import { normalizeRecipient } from '../recipient.ts'

/** Purpose of the key in `data_keys`. */
export const recipientIndexPurpose = 'recipient-index'
export const blindIndexBytes = 16

export interface BlindIndex {
  /** With an account ID, a number has a different value for each account; without one, it has the same value for all. */
  of(recipient: string, accountId?: number): Buffer
}

export function createBlindIndex(key: KeyObject): BlindIndex {
  return {
    of: (recipient, accountId) =>
      createHmac('sha256', key)
        .update(`${accountId ?? ''}\n${normalizeRecipient(recipient)}`)
        .digest()
        .subarray(0, blindIndexBytes),
  }
}
