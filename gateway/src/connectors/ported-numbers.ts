/**
 * Numbers that a carrier said to belong to another one, so that the next message goes there at once. In memory: it is
 * bounded in number and age, and what is forgotten costs one refused submission. Used by the router, and by connectors
 * that have a host at each carrier.
 */
import { LRUCache } from 'lru-cache'

/** 8.5 MB. */
const maxNumbers = 100_000
/** A number may be ported again, and the carrier that it left may not say so. */
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
