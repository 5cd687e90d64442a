/** A number of 53 bits for a key of an account, other in every process, so that nobody can choose keys that meet. Pure. */
import { randomBytes } from 'node:crypto'

const seeds = new Int32Array(new Uint8Array(randomBytes(8)).buffer)
const seedLow = seeds[0]!
const seedHigh = seeds[1]!

/** That one of 200,000 keys is taken for another has a probability of 2 in 10^11 for each message. */
export function hashOf(accountId: number, key: string): number {
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

function mix(value: number, factor: number): number {
  const product = Math.imul(value, factor)
  return (product << 13) | (product >>> 19)
}
