/**
 * API keys: `postern_`, 12 characters of its id, `cell` and the cell's two characters, `_`, and 32 random
 * bytes in base64url. The text is shown once; its SHA-256 is stored, which is sufficient for a secret that
 * cannot be guessed. The cell is at the same position as in tokens, so that a proxy reads both in the same
 * way (deploy/cells/haproxy.cfg).
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { randomLetters } from '../../contract/msg-key.ts'

const format = /^postern_([0-9A-Z]{12})cell[0-9A-Z]{2}_[A-Za-z0-9_-]{43}$/

export interface CreatedKey {
  readonly keyId: string
  /** The key itself. */
  readonly text: string
  readonly hash: string
}

export function createKeyId(): string {
  return randomLetters(12)
}

export function createKey(cell: string): CreatedKey {
  const keyId = createKeyId()
  const text = `postern_${keyId}cell${cell}_${randomBytes(32).toString('base64url')}`
  return { keyId, text, hash: digest(text).toString('hex') }
}

/** Returns the id in a text that has the form of a key, otherwise null. It does not verify the key. */
export function readKeyId(text: string): string | null {
  return format.exec(text)?.[1] ?? null
}

export function matchesKey(text: string, hash: string): boolean {
  const expected = Buffer.from(hash, 'hex')
  return expected.length === 32 && timingSafeEqual(digest(text), expected)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
