/**
 * Counts messages of each account by key in a sliding window, in memory: how many went to one number or one prefix. An hour
 * is counted in twelve slots, so that the window moves by five minutes. Bounded: the account with the most keys makes room,
 * by those that it used longest ago, so that a large sender does not end the counts of others. No I/O.
 */
import { CountTable, emptyList, none, type EntryList } from './count-table.ts'
import { hashOf, type KeyHash } from './key-hash.ts'

const slots = 12
const maxKeys = 200_000

export class SlidingCounts {
  readonly #table = new CountTable(slots)
  /** The keys of each account. */
  readonly #accounts = new Map<number, EntryList>()
  readonly #max: number
  readonly #slotMs: number
  /** Has more keys than most others. */
  #largest = emptyList()

  readonly #hash: KeyHash

  constructor(windowMs: number, max = maxKeys, hash = hashOf) {
    this.#slotMs = windowMs / slots
    this.#max = max
    this.#hash = hash
  }

  /** How many keys are counted. */
  get size(): number {
    return this.#table.size
  }

  /** In the window until now. */
  count(accountId: number, key: string, now: number): number {
    return this.countOf(accountId, this.#hash(accountId, key), now)
  }

  /** The same by the hash of the key. */
  countOf(accountId: number, hash: number, now: number): number {
    const entry = this.#table.find(accountId, hash)
    return entry === none ? 0 : this.#table.sumAt(entry, this.#slotOf(now))
  }

  add(accountId: number, key: string, now: number): void {
    const hash = this.#hash(accountId, key)
    const slot = this.#slotOf(now)
    const keys = this.#keysOf(accountId)
    let entry = this.#table.find(accountId, hash)
    if (entry === none) entry = this.#table.insert(accountId, hash, slot)
    else this.#table.unlink(keys, entry)
    this.#table.append(keys, entry)
    this.#table.increment(entry, slot)
    if (keys.size > this.#largest.size) this.#largest = keys
    if (this.#table.size > this.#max) this.#makeRoom()
  }

  /** What was added at that time. */
  remove(accountId: number, key: string, addedAt: number): void {
    const entry = this.#table.find(accountId, this.#hash(accountId, key))
    if (entry !== none) this.#table.decrement(entry, this.#slotOf(addedAt))
  }

  #slotOf(time: number): number {
    return Math.floor(time / this.#slotMs)
  }

  #keysOf(accountId: number): EntryList {
    let keys = this.#accounts.get(accountId)
    if (keys === undefined) this.#accounts.set(accountId, (keys = emptyList()))
    return keys
  }

  #makeRoom(): void {
    // All accounts are looked at only when the largest has become smaller than the average.
    if (this.#largest.size < this.#table.size / this.#accounts.size)
      for (const keys of this.#accounts.values()) if (keys.size > this.#largest.size) this.#largest = keys
    const { oldest } = this.#largest
    if (oldest === none) return
    this.#table.unlink(this.#largest, oldest)
    this.#table.delete(oldest)
  }
}
