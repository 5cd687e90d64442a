/**
 * Keys of operators: `postern_op_`, 12 characters of the id, `_` and 32 random bytes in base64url. Shown once; the SHA-256 is
 * stored, which is enough for a secret that cannot be guessed.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createKeyId, type NewKey } from '../accounts/key.ts'

const format = /^postern_op_([0-9A-Z]{12})_[A-Za-z0-9_-]{43}$/

export function createOperatorKey(): NewKey {
  const keyId = createKeyId()
  const text = `postern_op_${keyId}_${randomBytes(32).toString('base64url')}`
  return { keyId, text, hash: hashOperatorKey(text) }
}

export function hashOperatorKey(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The id in a text that has the form of a key; null when it has another form. Not verified. */
export function readOperatorKeyId(text: string): string | null {
  return format.exec(text)?.[1] ?? null
}

/** Follows a key that a command prints. */
export const printedKeyNote =
  'The key is not stored and cannot be shown again. Give it in POSTERN_OPERATOR_KEY, or the file that holds it as file:/path.'
