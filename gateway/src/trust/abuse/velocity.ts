/**
 * Counts messages of each account by key in a sliding window, in memory: how many went to one number or one prefix. An hour
 * is counted in twelve slots, so that the window moves by five minutes. Bounded: the account with the most keys makes room,
 * by those that it used longest ago, so that a large sender does not end the counts of others. No I/O.
 */
interface Counter {
  /** The newest slot that `counts` has. */
  slot: number
  /** Of the last slots, the newest first. */
  readonly counts: number[]
  sum: number
}

const slots = 12
/** About 200 bytes each. */
const maxKeys = 200_000

/** The keys of an account, the one that was used longest ago first. */
type Keys = Map<string, Counter>

export class SlidingCounts {
  readonly #accounts = new Map<number, Keys>()
  readonly #max: number
  readonly #slotMs: number
  /** Has more keys than most others. */
  #largest: Keys = new Map()
  /** Kept, because a new iterator passes over every key that was deleted since the map grew. */
  #oldest = this.#largest.keys()
  #size = 0

  constructor(windowMs: number, max = maxKeys) {
    this.#slotMs = windowMs / slots
    this.#max = max
  }

  /** How many keys are counted. */
  get size(): number {
    return this.#size
  }

  /** In the window until now. */
  count(accountId: number, key: string, now: number): number {
    const counter = this.#accounts.get(accountId)?.get(key)
    if (counter === undefined) return 0
    this.#move(counter, now)
    return counter.sum
  }

  add(accountId: number, key: string, now: number): void {
    let keys = this.#accounts.get(accountId)
    if (keys === undefined) this.#accounts.set(accountId, (keys = new Map<string, Counter>()))
    let counter = keys.get(key)
    if (counter === undefined) {
      counter = { slot: Math.floor(now / this.#slotMs), counts: new Array<number>(slots).fill(0), sum: 0 }
      this.#size++
    } else {
      this.#move(counter, now)
      keys.delete(key)
    }
    keys.set(key, counter)
    counter.counts[0]!++
    counter.sum++
    if (keys.size > this.#largest.size) this.#setLargest(keys)
    if (this.#size > this.#max) this.#makeRoom()
  }

  /** What was added at that time. */
  remove(accountId: number, key: string, addedAt: number): void {
    const counter = this.#accounts.get(accountId)?.get(key)
    if (counter === undefined) return
    const age = counter.slot - Math.floor(addedAt / this.#slotMs)
    if ((counter.counts[age] ?? 0) === 0) return
    counter.counts[age]!--
    counter.sum--
  }

  #makeRoom(): void {
    // All accounts are looked at only when the largest has become smaller than the average.
    if (this.#largest.size < this.#size / this.#accounts.size)
      for (const keys of this.#accounts.values()) if (keys.size > this.#largest.size) this.#setLargest(keys)
    const { value } = this.#oldest.next()
    if (value !== undefined && this.#largest.delete(value)) this.#size--
  }

  #setLargest(keys: Keys): void {
    if (keys === this.#largest) return
    this.#largest = keys
    this.#oldest = keys.keys()
  }

  #move(counter: Counter, now: number): void {
    const slot = Math.floor(now / this.#slotMs)
    for (; counter.slot < slot && counter.sum > 0; counter.slot++) {
      counter.counts.unshift(0)
      counter.sum -= counter.counts.pop()!
    }
    counter.slot = Math.max(counter.slot, slot)
  }
}
