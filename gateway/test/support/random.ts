/** Seeded random numbers: the same seed gives the same run. Not for secrets. */
export interface Random {
  /** Returns an integer from 0 to `limit` - 1. */
  below(limit: number): number
  /** Returns an integer from `min` to `max`. */
  between(min: number, max: number): number
  pick<T>(choices: readonly T[]): T
  shuffle<T>(items: readonly T[]): T[]
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  // mulberry32: 32 bits of state, sufficient to vary a test.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 0x1_0000_0000
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    between: (min, max) => min + below(max - min + 1),
    pick: (choices) => choices[below(choices.length)]!,
    shuffle(items) {
      const shuffled = [...items]
      for (let index = shuffled.length - 1; index > 0; index--) {
        const other = below(index + 1)
        ;[shuffled[index], shuffled[other]] = [shuffled[other]!, shuffled[index]!]
      }
      return shuffled
    },
  }
}
