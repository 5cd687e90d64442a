/**
 * Operator keys: `postern_op_`, 12 characters of the id, `_` and 32 random bytes in base64url. The key is
 * shown once; its SHA-256 is stored, which is sufficient for a secret that cannot be guessed.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createKeyId, type CreatedKey } from '../accounts/key.ts'

const format = /^postern_op_([0-9A-Z]{12})_[A-Za-z0-9_-]{43}$/

export function createOperatorKey(): CreatedKey {
  const keyId = createKeyId()
  const text = `postern_op_${keyId}_${randomBytes(32).toString('base64url')}`
  return { keyId, text, hash: hashOperatorKey(text) }
}

export function hashOperatorKey(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/**
 * Returns the id in a text that has the form of an operator key, otherwise null. It does not verify the key.
 */
export function readOperatorKeyId(text: string): string | null {
  return format.exec(text)?.[1] ?? null
}

/** Printed after a new key. */
export const printedKeyNote =
  'The key is not stored and cannot be shown again. Set POSTERN_OPERATOR_KEY to it, or to file:/path of a file that contains it.'
