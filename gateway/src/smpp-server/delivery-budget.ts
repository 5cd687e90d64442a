/**
 * What the feeds of a process hold in memory together, in octets. Clients that do not answer leave what they are owed there: when it is
 * used up, each feed goes on with a few items at a time.
 */
import type { DeliverBody } from './receipt.ts'

/** Of the objects around the octets of one delivery, about. */
const overheadBytes = 1_000

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

  take(bytes: number): void {
    this.#used += bytes
  }

  giveBack(bytes: number): void {
    const before = this.#used
    this.#used -= bytes
    if (before < this.#maxBytes || this.#used >= this.#maxBytes) return
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of waiting) wake()
  }

  /** Calls `wake` once when there is room again. Returns what takes that back. */
  onRoom(wake: () => void): () => void {
    this.#waiting.add(wake)
    return () => this.#waiting.delete(wake)
  }
}

export function sizeOf({ shortMessage, tlvs = [] }: DeliverBody): number {
  return tlvs.reduce((sum, { value }) => sum + value.length, overheadBytes + shortMessage.length)
}
