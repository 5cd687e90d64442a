/**
 * Encrypts the cursors of a client's searches for its account. A page may end at the key of another account's
 * message, which would reveal when that message was accepted.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export interface CursorFormat {
  write(text: string): string
  /** Throws for a cursor that was not written by `write`. */
  read(cursor: string): string
}

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

export function sealFor(accountId: number, tokenSecret: string): CursorFormat {
  const key = Buffer.from(hkdfSync('sha256', tokenSecret, '', `postern cursor ${accountId}`, 32))
  return {
    write(text) {
      const nonce = randomBytes(nonceBytes)
      const sealing = createCipheriv(cipher, key, nonce)
      const sealed = Buffer.concat([sealing.update(text), sealing.final()])
      return Buffer.concat([nonce, sealing.getAuthTag(), sealed]).toString('base64url')
    },
    read(cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
      opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      return opening.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + opening.final('utf8')
    },
  }
}
