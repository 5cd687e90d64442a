/**
 * Recognises the keys that this gateway has created: the last ten letters are a MAC of the rest, so an
 * invented key is detected without a query. A key without a valid MAC can still be genuine: it was created
 * with another secret.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

export const macLength = 10

export interface KeyMac {
  /** Returns the letters that complete the key. */
  of(start: string): string
  proves(key: string): boolean
}

export function createKeyMac(secret: string): KeyMac {
  const derived = createHmac('sha256', secret).update('postern file keys').digest()
  const of = (start: string): string => {
    const digest = createHmac('sha256', derived).update(start).digest()
    // 36^10 is 51.7 bits; 64 bits of the digest make each letter nearly uniform.
    const letters = digest.readBigUInt64BE().toString(36).toUpperCase()
    return letters.padStart(macLength, '0').slice(-macLength)
  }
  return {
    of,
    proves(key) {
      const expected = Buffer.from(of(key.slice(0, -macLength)))
      const mac = Buffer.from(key.slice(-macLength))
      return mac.length === expected.length && timingSafeEqual(mac, expected)
    },
  }
}
