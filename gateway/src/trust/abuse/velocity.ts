/**
 * Counts messages by key in a sliding window, in memory: how many went to one number or one prefix. An hour is counted in
 * twelve slots, so that the window moves by five minutes; keys are forgotten after it. Bounded: the keys that were used
 * longest ago make room. No I/O.
 */
import { LRUCache } from 'lru-cache'

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

export class SlidingCounts {
  /** Made when it is needed: it takes megabytes, and a worker counts nothing. */
  #counters: LRUCache<string, Counter> | undefined
  readonly #max: number
  readonly #slotMs: number

  constructor(windowMs: number, max = maxKeys) {
    this.#slotMs = windowMs / slots
    this.#max = max
  }

  /** In the window until now. */
  count(key: string, now: number): number {
    const counter = this.#counters?.get(key)
    if (counter === undefined) return 0
    this.#move(counter, now)
    return counter.sum
  }

  add(key: string, now: number, count = 1): void {
    const counters = (this.#counters ??= new LRUCache<string, Counter>({ max: this.#max }))
    let counter = counters.get(key)
    if (counter === undefined) {
      counter = { slot: Math.floor(now / this.#slotMs), counts: new Array<number>(slots).fill(0), sum: 0 }
      counters.set(key, counter)
    } else this.#move(counter, now)
    counter.counts[0]! += count
    counter.sum += count
  }

  /** What was added at that time. */
  remove(key: string, addedAt: number): void {
    const counter = this.#counters?.get(key)
    if (counter === undefined) return
    const age = counter.slot - Math.floor(addedAt / this.#slotMs)
    if ((counter.counts[age] ?? 0) === 0) return
    counter.counts[age]!--
    counter.sum--
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
