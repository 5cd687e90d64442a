/**
 * Cursors of a client's searches, encrypted for its account. A search goes through the messages of all accounts, and where a page ends
 * may be the key of a message of another one, which has its time and begins with the millisecond.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { CursorFormat } from './cursor.ts'

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

export function sealFor(accountId: number, tokenSecret: string): CursorFormat {
  const key = Buffer.from(hkdfSync('sha256', tokenSecret, '', `postern admin cursor ${accountId}`, 32))
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
