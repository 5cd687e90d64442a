/**
 * A hash table from blind indexes to choices, in typed arrays outside the heap: 9 bytes a slot, at most three quarters of them
 * used. 1,000,000 entries take 19 MB; as strings in a Map they took 101 MB, measured. Of an index 8 of its 16 bytes are kept: that one of
 * ten million entries is taken for another recipient has a probability of 5 in 10^13 for each message.
 */

/** 0 is a free slot; every other value is the caller's, from 1 to 254. */
const free = 0
const removed = 255

export class ChoiceTable {
  #high = new Uint32Array(64)
  #low = new Uint32Array(64)
  #values = new Uint8Array(64)
  /** Slots that are not free. */
  #used = 0

  /** Undefined where there is none. */
  get(key: Buffer): number | undefined {
    const slot = this.#find(key.readUInt32LE(0), key.readUInt32LE(4))
    return this.#values[slot] === free ? undefined : this.#values[slot]
  }

  /** Returns the former value. */
  set(key: Buffer, value: number): number | undefined {
    if ((this.#used + 1) * 4 > this.#values.length * 3) this.#grow()
    const [high, low] = [key.readUInt32LE(0), key.readUInt32LE(4)]
    const slot = this.#find(high, low)
    const former = this.#values[slot]!
    if (former === free) this.#used++
    this.#put(slot, high, low, value)
    return former === free ? undefined : former
  }

  delete(key: Buffer): number | undefined {
    const slot = this.#find(key.readUInt32LE(0), key.readUInt32LE(4))
    const former = this.#values[slot]!
    if (former === free) return undefined
    this.#values[slot] = removed
    return former
  }

  /** The slot of the key, or the free one where it belongs. There is always a free slot. */
  #find(high: number, low: number): number {
    const mask = this.#values.length - 1
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const value = this.#values[slot]!
      if (value === free) return slot
      if (value !== removed && this.#low[slot] === low && this.#high[slot] === high) return slot
    }
  }

  #put(slot: number, high: number, low: number, value: number): void {
    this.#high[slot] = high
    this.#low[slot] = low
    this.#values[slot] = value
  }

  /** To twice the size, or to the same where most slots are removed entries. */
  #grow(): void {
    const [high, low, values] = [this.#high, this.#low, this.#values]
    const live = values.reduce((count, value) => (value === free || value === removed ? count : count + 1), 0)
    const size = live * 2 > values.length ? values.length * 2 : values.length
    this.#high = new Uint32Array(size)
    this.#low = new Uint32Array(size)
    this.#values = new Uint8Array(size)
    this.#used = live
    for (const [slot, value] of values.entries())
      if (value !== free && value !== removed)
        this.#put(this.#find(high[slot]!, low[slot]!), high[slot]!, low[slot]!, value)
  }
}
