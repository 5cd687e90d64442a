/** Fast, stable hashes of short strings, for spreading keys evenly. They are not secure. */

/** Returns a 32-bit hash (FNV-1a). Its low bits are weak: pass it through `mix` before taking a remainder. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash
}

/** Spreads a change of any bit over all bits (the finalizer of MurmurHash3). */
export function mix(bits: number): number {
  let hash = bits
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
