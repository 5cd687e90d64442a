/**
 * Generates numbers for message ids that never repeat: a counter within a run; between runs a start from the
 * clock or, for a repeatable run with a seed, from the `start` of the caller.
 */

/** Implements mulberry32, which is fast and deterministic on every machine. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Each number is taken at random from its own block of this size. */
const BLOCK = 8

export class UniqueNumbers {
  readonly #random: () => number
  readonly #base: number
  #count: number

  constructor(seed: number | undefined, start: number) {
    this.#random = seededRandom(seed ?? Date.now())
    // Both bases have 13 hexadecimal or 16 decimal digits, exact in a double. The clock advances by 125
    // blocks per millisecond, faster than ids are created, so a restart always begins after the used ids.
    this.#base =
      seed === undefined ? Date.now() * 1000 : 2 ** 50 + Math.floor(this.#random() * 2 ** 32) * 2 ** 16
    this.#count = start
  }

  next(): number {
    return this.#base + this.#count++ * BLOCK + Math.floor(this.#random() * BLOCK)
  }

  /** Returns random hexadecimal digits, which can repeat. */
  noise(digits: number): string {
    return Math.floor(this.#random() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0')
  }
}
