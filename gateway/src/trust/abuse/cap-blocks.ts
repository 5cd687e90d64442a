/** What this process has reserved of caps, by account, class and period, in memory. Used by `Caps`. */
import { nameOf, newBlock, type Block } from './cap-block.ts'
import type { BeginOf } from './cap-periods.ts'
import type { Cap } from './protection.ts'

export class CapBlocks {
  readonly #blocks = new Map<string, Block>()
  /** The block that a cap was counted in last: building its name for every message took 1 µs for four caps. */
  readonly #last = new WeakMap<Cap, Block>()
  readonly #beginOf: BeginOf

  constructor(beginOf: BeginOf) {
    this.#beginOf = beginOf
  }

  get size(): number {
    return this.#blocks.size
  }

  /** Undefined where nothing is reserved. */
  find(accountId: number, cap: Cap, now: number): Block | undefined {
    const begins = this.#beginOf(cap.period, now)
    return this.#blocks.get(nameOf({ accountId, period: cap.period, class: cap.class, begins }))
  }

  of(accountId: number, cap: Cap, now: number): Block {
    const last = this.#last.get(cap)
    if (last?.isKept && last.accountId === accountId && last.begins === this.#beginOf(cap.period, now))
      return last
    const block =
      this.find(accountId, cap, now) ?? this.#keep(newBlock(accountId, cap, this.#beginOf(cap.period, now)))
    this.#last.set(cap, block)
    return block
  }

  /** The block of the same day or month that is kept now. */
  again(from: Block): Block {
    return this.#blocks.get(nameOf(from)) ?? this.#keep({ ...from, left: 0, surplus: 0, demand: 0 })
  }

  /** They are no longer kept. */
  remove(isRemoved: (block: Block) => boolean): Block[] {
    const removed = [...this.#blocks.values()].filter(isRemoved)
    for (const block of removed) {
      block.isKept = false
      this.#blocks.delete(nameOf(block))
    }
    return removed
  }

  #keep(block: Block): Block {
    block.isKept = true
    this.#blocks.set(nameOf(block), block)
    return block
  }
}
