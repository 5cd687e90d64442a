/**
 * Creates message ids and formats them. Ids never repeat: within a run by a counter; between runs by starting from
 * the clock or, with a seed (for a repeatable run), from the `start` that the caller gives.
 */

export type Spelling =
  | 'the same'
  | 'decimal receipt'
  | 'hex receipt'
  | 'upper receipt'
  | 'padded receipt'
  | 'padded response'
  | 'uuid'

export interface MessageId {
  readonly inResponse: string
  readonly inReceipt: string
}

/** mulberry32: small, fast, and the same on every machine. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Each id owns a block of this many numbers, so that runs differ by their start alone. */
const BLOCK = 8

export class IdSource {
  readonly #random: () => number
  readonly #base: number
  #count: number

  constructor(seed: number | undefined, start: number) {
    this.#random = seededRandom(seed ?? Date.now())
    // Both bases give 13 hexadecimal or 16 decimal digits, exact in a double. The clock advances by 125 blocks a
    // millisecond, faster than ids are created, so a restart always begins after the used ids.
    this.#base =
      seed === undefined ? Date.now() * 1000 : 2 ** 50 + Math.floor(this.#random() * 2 ** 32) * 2 ** 16
    this.#count = start
  }

  #number(): number {
    return this.#base + this.#count++ * BLOCK + Math.floor(this.#random() * BLOCK)
  }

  next(spelling: Spelling): MessageId {
    let value = this.#number()
    let hex = value.toString(16)
    // For spellings that differ in case or base, an id that looks the same both ways would prove nothing.
    while (spelling === 'upper receipt' && !/[a-f]/.test(hex)) {
      value = this.#number()
      hex = value.toString(16)
    }
    switch (spelling) {
      case 'the same':
        return { inResponse: hex, inReceipt: hex }
      case 'decimal receipt':
        return { inResponse: hex, inReceipt: String(value) }
      case 'hex receipt':
        return { inResponse: String(value), inReceipt: hex }
      case 'upper receipt':
        return { inResponse: hex, inReceipt: hex.toUpperCase() }
      case 'padded receipt':
        return { inResponse: hex, inReceipt: `000${hex}` }
      case 'padded response':
        return { inResponse: `000${hex}`, inReceipt: hex }
      case 'uuid': {
        const uuid = this.#uuid(hex.padStart(13, '0'))
        return { inResponse: uuid, inReceipt: uuid }
      }
    }
  }

  #uuid(hex: string): string {
    const noise = (digits: number): string =>
      Math.floor(this.#random() * 16 ** digits)
        .toString(16)
        .padStart(digits, '0')
    return `${noise(8)}-${hex.slice(0, 4)}-4${noise(3)}-8${noise(3)}-${hex.slice(4)}${noise(3)}`
  }
}
