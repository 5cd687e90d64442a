/**
 * Proves that this gateway has made a file key: its last ten letters are a MAC of the rest. An invented key is recognised
 * without a look at the database. A key without a valid MAC may still be right: it was made under
 * another secret.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

export const macLength = 10

export interface KeyMac {
  /** The letters that complete the key. */
  of(start: string): string
  proves(key: string): boolean
}

export function createKeyMac(secret: string): KeyMac {
  const derived = createHmac('sha256', secret).update('postern file keys').digest()
  const of = (start: string): string => {
    const digest = createHmac('sha256', derived).update(start).digest()
    // 36^10 is 51.7 bits; 64 bits of the digest make each letter as good as uniform.
    const letters = digest.readBigUInt64BE().toString(36).toUpperCase()
    return letters.padStart(macLength, '0').slice(-macLength)
  }
  return {
    of,
    proves(key) {
      const expected = Buffer.from(of(key.slice(0, -macLength)))
      const given = Buffer.from(key.slice(-macLength))
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}
