/** Creates unique message ids and formats them for the response and the receipt. */
import { UniqueNumbers } from '../shared/unique-numbers.ts'

export type IdFormat =
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

export class IdSource {
  readonly #numbers: UniqueNumbers

  constructor(seed: number | undefined, start: number) {
    this.#numbers = new UniqueNumbers(seed, start)
  }

  next(format: IdFormat): MessageId {
    let value = this.#numbers.next()
    let hex = value.toString(16)
    // Without a letter, the id would be the same in upper case and prove nothing.
    while (format === 'upper receipt' && !/[a-f]/.test(hex)) {
      value = this.#numbers.next()
      hex = value.toString(16)
    }
    switch (format) {
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
    const noise = (digits: number): string => this.#numbers.noise(digits)
    return `${noise(8)}-${hex.slice(0, 4)}-4${noise(3)}-8${noise(3)}-${hex.slice(4)}${noise(3)}`
  }
}
