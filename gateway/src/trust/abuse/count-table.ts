/**
 * A hash table from keys to counts by slots of time, and lists of its entries in the order of their use, in typed arrays outside
 * the heap: a message allocates nothing. As an object, an array and a string each, 400,000 keys cost the collector more than all
 * other work of the rules on an SMS. An entry is one row of numbers, 80 bytes with twelve slots, so that it costs one or two
 * reads of memory. Used by `SlidingCounts`.
 */

/** No entry. */
export const none = -1

/** Entries in the order of their use. */
export interface EntryList {
  size: number
  oldest: number
  newest: number
}

export const emptyList = (): EntryList => ({ size: 0, oldest: none, newest: none })

/** Places in the row of an entry. `next`: of its bucket, or the next free entry. `newest`: the last slot that is counted. */
const [keyLow, keyHigh, account, newest, sum, next, older, newer, counts] = [0, 1, 2, 3, 4, 5, 6, 7, 8]
const firstCapacity = 64

/** An entry is the index of its row. */
export class CountTable {
  readonly #slots: number
  readonly #width: number
  #rows: Int32Array<ArrayBuffer>
  /** As many as there is room for entries, a power of two. */
  #buckets = new Int32Array(firstCapacity).fill(none)
  #free = none
  /** The end of the rows that were ever used. */
  #end = 0
  #size = 0

  constructor(slots: number) {
    this.#slots = slots
    this.#width = counts + slots
    this.#rows = new Int32Array(firstCapacity * this.#width)
  }

  get size(): number {
    return this.#size
  }

  /** The entry of a key of 53 bits, or `none`. */
  find(accountId: number, key: number): number {
    const low = key | 0
    const high = highOf(key)
    let entry = this.#buckets[low & (this.#buckets.length - 1)]!
    while (entry !== none && !this.#is(entry, low, high, accountId)) entry = this.#rows[entry + next]!
    return entry
  }

  #is(entry: number, low: number, high: number, accountId: number): boolean {
    const rows = this.#rows
    return (
      rows[entry + keyLow] === low && rows[entry + keyHigh] === high && rows[entry + account] === accountId
    )
  }

  /** A key that the table does not have. */
  insert(accountId: number, key: number, slot: number): number {
    let entry = this.#free
    if (entry !== none) this.#free = this.#rows[entry + next]!
    else {
      if (this.#end === this.#rows.length) this.#grow()
      entry = this.#end
      this.#end += this.#width
    }
    const rows = this.#rows
    rows.fill(0, entry, entry + this.#width)
    rows[entry + keyLow] = key | 0
    rows[entry + keyHigh] = highOf(key)
    rows[entry + account] = accountId
    rows[entry + newest] = slot
    this.#enter(entry)
    this.#size++
    return entry
  }

  delete(entry: number): void {
    const rows = this.#rows
    const bucket = this.#bucketOf(entry)
    let before = this.#buckets[bucket]!
    if (before === entry) this.#buckets[bucket] = rows[entry + next]!
    else {
      while (rows[before + next] !== entry) before = rows[before + next]!
      rows[before + next] = rows[entry + next]!
    }
    rows[entry + next] = this.#free
    this.#free = entry
    this.#size--
  }

  append(list: EntryList, entry: number): void {
    const rows = this.#rows
    rows[entry + older] = list.newest
    rows[entry + newer] = none
    if (list.newest === none) list.oldest = entry
    else rows[list.newest + newer] = entry
    list.newest = entry
    list.size++
  }

  unlink(list: EntryList, entry: number): void {
    const rows = this.#rows
    const before = rows[entry + older]!
    const after = rows[entry + newer]!
    if (before === none) list.oldest = after
    else rows[before + newer] = after
    if (after === none) list.newest = before
    else rows[after + older] = before
    list.size--
  }

  /** Of the slots that end with this one. */
  sumAt(entry: number, slot: number): number {
    this.#move(entry, slot)
    return this.#rows[entry + sum]!
  }

  increment(entry: number, slot: number): void {
    this.#move(entry, slot)
    this.#rows[this.#placeOf(entry, this.#rows[entry + newest]!)]!++
    this.#rows[entry + sum]!++
  }

  decrement(entry: number, slot: number): void {
    const age = this.#rows[entry + newest]! - slot
    const place = this.#placeOf(entry, slot)
    if (age < 0 || age >= this.#slots || this.#rows[place] === 0) return
    this.#rows[place]!--
    this.#rows[entry + sum]!--
  }

  /** Empties the slots that later ones take the places of. */
  #move(entry: number, slot: number): void {
    const rows = this.#rows
    const from = rows[entry + newest]!
    if (slot <= from) return
    for (let one = Math.max(from, slot - this.#slots) + 1; one <= slot; one++) {
      const place = this.#placeOf(entry, one)
      rows[entry + sum]! -= rows[place]!
      rows[place] = 0
    }
    rows[entry + newest] = slot
  }

  #placeOf(entry: number, slot: number): number {
    return entry + counts + (slot % this.#slots)
  }

  #bucketOf(entry: number): number {
    return this.#rows[entry + keyLow]! & (this.#buckets.length - 1)
  }

  #enter(entry: number): void {
    const bucket = this.#bucketOf(entry)
    this.#rows[entry + next] = this.#buckets[bucket]!
    this.#buckets[bucket] = entry
  }

  /** To twice the size. Nothing is free. */
  #grow(): void {
    // Copied, not transferred: once a buffer was detached, the engine checks for it in every access to any buffer of the process.
    const rows = new Int32Array(this.#rows.length * 2)
    rows.set(this.#rows)
    this.#rows = rows
    this.#buckets = new Int32Array(this.#buckets.length * 2).fill(none)
    for (let entry = 0; entry < this.#end; entry += this.#width) this.#enter(entry)
  }
}

function highOf(key: number): number {
  return Math.floor(key / 0x1_0000_0000)
}
