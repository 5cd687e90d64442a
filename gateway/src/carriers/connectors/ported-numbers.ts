/**
 * Numbers that a carrier reported as ported to another, so that later messages go there directly. Kept in memory, limited in
 * number and age; a dropped entry costs one refused submission.
 */
import { LRUCache } from 'lru-cache'

/** About 8.5 MB of memory. */
const maxNumbers = 100_000
/** Limits the age, because a number can be ported again without a report from the carrier that it left. */
const maxAgeMs = 7 * 86_400_000

export class PortedNumbers<Carrier extends string = string> {
  readonly #carriers: LRUCache<string, Carrier>

  constructor({
    max = maxNumbers,
    ageMs = maxAgeMs,
  }: { readonly max?: number; readonly ageMs?: number } = {}) {
    this.#carriers = new LRUCache({ max, ttl: ageMs })
  }

  get size(): number {
    return this.#carriers.size
  }

  get(number: string): Carrier | undefined {
    return this.#carriers.size === 0 ? undefined : this.#carriers.get(number)
  }

  set(number: string, carrier: Carrier): void {
    this.#carriers.set(number, carrier)
  }

  delete(number: string): void {
    this.#carriers.delete(number)
  }
}
