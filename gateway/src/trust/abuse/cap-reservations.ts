/** Reserves blocks of caps in PostgreSQL, one statement at a time for a block, however many requests wait. Used by `Caps`. */
import { withTimeout } from '../../contract/with-timeout.ts'
import { nameOf, resize, shareOf, type Block } from './cap-block.ts'
import type { CapStore } from './cap-store.ts'

export class CapReservations {
  readonly #store: CapStore
  readonly #waitMs: number
  readonly #running = new Map<string, Promise<void>>()

  constructor(store: CapStore, waitMs: number) {
    this.#store = store
    this.#waitMs = waitMs
  }

  isRunning(block: Block): boolean {
    return this.#running.size > 0 && this.#running.has(nameOf(block))
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values())
  }

  /** Waits no longer than a request may. */
  wait(block: Block): Promise<void> {
    return withTimeout(this.#waitMs, this.start(block), 'the caps of the account cannot be counted')
  }

  /**
   * Requests that come meanwhile share it. Until PostgreSQL has answered, however late: a second one beside it would be
   * granted too, and nobody would know of the first grant.
   */
  start(block: Block): Promise<void> {
    const key = nameOf(block)
    let running = this.#running.get(key)
    if (running === undefined) {
      running = this.#reserve(block).finally(() => this.#running.delete(key))
      this.#running.set(key, running)
    }
    return running
  }

  async #reserve(block: Block): Promise<void> {
    if (block.surplus > 0) return this.#giveSurplusBack(block)
    resize(block)
    const { max } = block
    const wanted = Math.max(1, block.demand, shareOf(block))
    const [answer] = await this.#store.reserve([{ ...block, wanted }])
    const { granted, used } = answer!
    block.used = used
    if (block.max < max) {
      block.surplus += granted
      return this.#giveSurplusBack(block)
    }
    block.left += granted
    if (granted > 0) block.usedAt = performance.now()
    if (used >= block.max) block.emptyAt = performance.now()
  }

  async #giveSurplusBack(block: Block): Promise<void> {
    const count = block.surplus
    block.surplus = 0
    await this.#store.giveBack([{ ...block, count }])
    block.used -= count
  }
}
