/** Numbers of 53 bits for keys of accounts. Pure. */
import { randomBytes } from 'node:crypto'

/** That one of 200,000 keys is taken for another has a probability of 2 in 10^11 for each message. */
export type KeyHash = (accountId: number, key: string) => number

/** `seed`: eight bytes that no client knows, so that nobody can choose keys that meet. Processes with the same one can compare. */
export function createKeyHash(seed: Uint8Array): KeyHash {
  const view = new DataView(seed.buffer, seed.byteOffset)
  const seedLow = view.getInt32(0)
  const seedHigh = view.getInt32(4)
  return (accountId, key) => {
    let low = mix(seedLow ^ accountId, 0x9e3779b1)
    let high = mix(seedHigh ^ accountId, 0x85ebca77)
    for (let at = 0; at < key.length; at++) {
      const code = key.charCodeAt(at)
      low = mix(low ^ code, 0x9e3779b1)
      high = mix(high ^ code, 0x85ebca77)
    }
    low = Math.imul(low ^ (low >>> 15), 0xc2b2ae3d)
    return (high >>> 11) * 0x1_0000_0000 + ((low ^ (low >>> 13)) >>> 0)
  }
}

/** Other in every process. */
export const hashOf = createKeyHash(randomBytes(8))

function mix(value: number, factor: number): number {
  const product = Math.imul(value, factor)
  return (product << 13) | (product >>> 19)
}
