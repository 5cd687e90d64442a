/** The keys that sign tokens: which one signs now, and which ones are still accepted. */
import { createSecretKey, type KeyObject } from 'node:crypto'

/** POSTERN_TOKEN_SECRET itself. */
export const firstKeyId = 1

export interface KeyRing {
  signing(nowMs: number): { readonly id: number; readonly key: KeyObject }
  find(id: number): KeyObject | undefined
  /** Whether tokens that the key has signed are accepted. */
  accepts(id: number, nowMs: number): boolean
}

/** One key, for good. */
export function fixedRing(secret: string): KeyRing {
  const key = createSecretKey(Buffer.from(secret))
  return {
    signing: () => ({ id: firstKeyId, key }),
    find: (id) => (id === firstKeyId ? key : undefined),
    accepts: (id) => id === firstKeyId,
  }
}
