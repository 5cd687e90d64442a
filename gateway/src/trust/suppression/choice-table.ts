/**
 * Maps blind indexes to a recipient's choice (opted out or agreed), stored as a number. The hash table has typed
 * arrays outside the heap: 12 to 24 bytes per entry, about a fifth of a Map of strings. It stores 8 of the 16
 * bytes of an index, so among ten million entries a lookup mistakes a recipient for another with a
 * probability of 5 in 10^13.
 */

/** Marks a free slot; callers store values from 1 to 254. */
const free = 0
/** Marks the slot of a deleted entry, which a search passes over. */
const removed = 255

export class ChoiceTable {
  #high = new Uint32Array(64)
  #low = new Uint32Array(64)
  #values = new Uint8Array(64)
  /** Slots that are not free. */
  #used = 0

  get(key: Buffer): number | undefined {
    const slot = this.#find(key.readUInt32LE(0), key.readUInt32LE(4))
    return this.#values[slot] === free ? undefined : this.#values[slot]
  }

  /** Returns the previous value, or undefined if the key was not present. */
  set(key: Buffer, value: number): number | undefined {
    if ((this.#used + 1) * 4 > this.#values.length * 3) this.#grow()
    const [high, low] = [key.readUInt32LE(0), key.readUInt32LE(4)]
    const slot = this.#find(high, low)
    const previous = this.#values[slot]!
    if (previous === free) this.#used++
    this.#put(slot, high, low, value)
    return previous === free ? undefined : previous
  }

  /** Returns the removed value, or undefined if the key was not present. */
  delete(key: Buffer): number | undefined {
    const slot = this.#find(key.readUInt32LE(0), key.readUInt32LE(4))
    const previous = this.#values[slot]!
    if (previous === free) return undefined
    this.#values[slot] = removed
    return previous
  }

  /** Returns the slot of the key, or the free one where it belongs. There is always a free slot. */
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

  /** Drops removed entries, and doubles the size if more than half of the slots are live. */
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
