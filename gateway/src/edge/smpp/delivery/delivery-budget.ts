import type { DeliverBody } from './receipt.ts'

/** Approximate memory overhead per delivery, in bytes. */
const overheadBytes = 1_000

/**
 * Limits the memory that the feeds of a process hold for clients that do not respond, in bytes. When it is used up,
 * each feed continues with a few items at a time.
 */
export class DeliveryBudget {
  readonly #maxBytes: number
  readonly #waiting = new Set<() => void>()
  #used = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get isUsedUp(): boolean {
    return this.#used >= this.#maxBytes
  }

  reserve(bytes: number): void {
    this.#used += bytes
  }

  release(bytes: number): void {
    const before = this.#used
    this.#used -= bytes
    if (before < this.#maxBytes || this.#used >= this.#maxBytes) return
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of waiting) wake()
  }

  /** Calls `wake` once when there is room again. Returns a function that cancels this. */
  onRoom(wake: () => void): () => void {
    this.#waiting.add(wake)
    return () => this.#waiting.delete(wake)
  }
}

export function sizeOf({ shortMessage, tlvs = [] }: DeliverBody): number {
  return tlvs.reduce((sum, { value }) => sum + value.length, overheadBytes + shortMessage.length)
}
