/**
 * Weighted rendezvous hashing: shares messages among routes by weight without any state. Every route gets a score for a
 * key and the highest score wins, so that the same message always gets the same route, each route gets its share, and a
 * route that is added, removed or reweighted moves only the messages that it gains or loses. Pure.
 */

/** 32 bits of a string (FNV-1a); finished by `scoreOf`. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash
}

/** The score of one route for one key: with u uniform, −weight / ln u is the highest in proportion to the weight. */
export function scoreOf(keyHash: number, seed: number, weight: number): number {
  // Never 0 or 1: offset by half a step.
  const uniform = (mix(keyHash ^ seed) + 0.5) / 0x1_0000_0000
  return -weight / Math.log(uniform)
}

/** True for one key in `oneIn`, independently of the key's score. */
export function isSampled(keyHash: number, seed: number, oneIn: number): boolean {
  return mix(mix(keyHash ^ seed) ^ 0x5bd1e995) % oneIn === 0
}

/** Spreads a change of any bit over all bits (the finalizer of MurmurHash3). */
function mix(bits: number): number {
  let hash = bits
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
