/**
 * Caps by day and month, never exceeded over all API processes. Each process reserves a block of a cap in PostgreSQL, and
 * takes messages from it in memory: one statement for some hundred to thousand messages, and none for accounts without a cap. Blocks
 * shrink with what is left of the cap, and a block that was not used for half a minute is given back, or for a second when
 * the cap is nearly used up. While PostgreSQL is unavailable a message beyond the block is refused as busy: a cap fails
 * closed. Called by accept.
 */
import { withTimeout } from '../../contract/with-timeout.ts'
import type { Log } from '../../platform/log.ts'
import { isNearlyUsed, minAhead, shareOf, type Block } from './cap-block.ts'
import { CapBlocks } from './cap-blocks.ts'
import type { BeginOf } from './cap-periods.ts'
import { CapReservations } from './cap-reservations.ts'
import type { CapStore } from './cap-store.ts'
import type { Cap } from './protection.ts'

/** A cap that a message counts for, and by how much. */
export interface CapUse extends Cap {
  readonly count: number
}

/** `putBack`: the message was not accepted. `busy`: it cannot be counted now. */
export type CapResult =
  | { readonly kind: 'taken'; readonly putBack: () => void }
  | { readonly kind: 'reached'; readonly cap: Cap }
  | { readonly kind: 'busy' }

export interface CapsOptions {
  readonly store: CapStore
  /** The day and the month of a time. */
  readonly beginOf: BeginOf
  readonly log: Log
  /** Milliseconds. */
  readonly giveBackAfterMs?: number
  /** Of caps that are nearly used up. */
  readonly giveBackSoonMs?: number
  /** How long a request waits for PostgreSQL. */
  readonly waitMs?: number
}

/** Each of them takes what a round of all waiting requests demands. */
const maxRounds = 20
/** A request waits no longer for PostgreSQL, nor does a stop. */
const maxWaitMs = 2_000
/** A cap that is used up is looked at again after this long: other processes may have given a block back. */
const lookAgainMs = 1_000
/** An account that sends every few seconds keeps its block: each reservation is two statements. */
const keepMs = 30_000
const keepShortMs = 1_000
const notGivenBack = 'cannot give back what is reserved of caps'
const busy: CapResult = { kind: 'busy' }

export class Caps {
  readonly #options: CapsOptions
  readonly #blocks: CapBlocks
  readonly #reservations: CapReservations
  #timer: NodeJS.Timeout | undefined

  constructor(options: CapsOptions) {
    this.#options = options
    this.#blocks = new CapBlocks(options.beginOf)
    this.#reservations = new CapReservations(options.store, options.waitMs ?? maxWaitMs)
  }

  /** All or none. Not a promise when the blocks have enough. */
  take(accountId: number, uses: readonly CapUse[], now: number): CapResult | Promise<CapResult> {
    const blocks = uses.map((use) => this.#blockOf(accountId, use, now))
    const lacking = blocks.findIndex((block, n) => block.left < uses[n]!.count)
    if (lacking < 0) return this.#use(blocks, uses)
    if (performance.now() - blocks[lacking]!.emptyAt < lookAgainMs)
      return { kind: 'reached', cap: uses[lacking]! }
    return this.#reserveAndTake(blocks, uses)
  }

  /** For a dry run: the cap that the message would exceed now. Reads PostgreSQL, and takes nothing. */
  async findReached(accountId: number, uses: readonly CapUse[], now: number): Promise<Cap | null> {
    const { store, beginOf } = this.#options
    const begins = [...new Set(uses.map(({ period }) => beginOf(period, now)))]
    const rows = await store.readUsed(accountId, begins)
    const found = uses.find((use) => {
      const isSame = (row: (typeof rows)[number]): boolean =>
        row.class === use.class && row.begins === beginOf(use.period, now)
      const own = this.#blocks.find(accountId, use, now)?.left ?? 0
      return (rows.find(isSame)?.used ?? 0) - own + use.count > use.max
    })
    return found ?? null
  }

  /** Gives everything back, if PostgreSQL answers soon. Call it after the last message was taken. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await withTimeout(maxWaitMs, this.#giveAllBack(), notGivenBack).catch(this.#logNotGivenBack)
  }

  async #giveAllBack(): Promise<void> {
    await this.#reservations.settled()
    await this.#giveIdleBack(-1, -1)
  }

  readonly #logNotGivenBack = (error: unknown): void =>
    this.#options.log.warn({ err: error as Error }, `${notGivenBack}; it counts as used`)

  #use(blocks: readonly Block[], uses: readonly CapUse[]): CapResult {
    const at = performance.now()
    blocks.forEach((block, n) => {
      block.left -= uses[n]!.count
      block.usedAt = at
      // Ahead of need, so that most requests do not wait. A failure is repeated by the request that needs it.
      const share = shareOf(block)
      if (share >= minAhead && block.left < share / 4 && !this.#reservations.isRunning(block))
        this.#reservations.start(block).catch(() => undefined)
    })
    return { kind: 'taken', putBack: () => this.#putBack(blocks, uses) }
  }

  /** To the day and month that it was taken from. A block that was given back meanwhile is kept again until it is idle. */
  #putBack(blocks: readonly Block[], uses: readonly CapUse[]): void {
    blocks.forEach((from, n) => {
      const { count, max } = uses[n]!
      const block = this.#blocks.again(from)
      if (block.max < max) block.surplus += count
      else block.left += count
    })
    this.#giveBackLater()
  }

  async #reserveAndTake(blocks: readonly Block[], uses: readonly CapUse[]): Promise<CapResult> {
    blocks.forEach((block, n) => (block.demand += uses[n]!.count))
    try {
      // Another request may take what was reserved for this one: the next round reserves again.
      for (let round = 0; round < maxRounds; round++) {
        const lacking = blocks.flatMap((block, n) =>
          block.left < uses[n]!.count ? [{ block, use: uses[n]! }] : [],
        )
        if (lacking.length === 0) return this.#use(blocks, uses)
        await Promise.all(lacking.map(({ block }) => this.#reservations.wait(block)))
        const empty = lacking.find(({ block, use }) => block.left < use.count && block.used >= block.max)
        if (empty !== undefined) return { kind: 'reached', cap: empty.use }
      }
      return busy
    } catch {
      return busy
    } finally {
      blocks.forEach((block, n) => (block.demand -= uses[n]!.count))
    }
  }

  #blockOf(accountId: number, use: Cap, now: number): Block {
    const block = this.#blocks.of(accountId, use, now)
    if (this.#timer === undefined) this.#giveBackLater()
    if (block.max !== use.max) {
      const isLower = use.max < block.max
      block.max = use.max
      if (isLower) this.#lower(block)
      block.emptyAt = -Infinity
    }
    return block
  }

  /** Requests that need more wait until what is left was given back, and reserve under the new cap. */
  #lower(block: Block): void {
    block.surplus += block.left
    block.left = 0
    if (block.surplus > 0) this.#reservations.start(block).catch(this.#logNotGivenBack)
  }

  /** Runs while there are blocks. */
  #giveBackLater(): void {
    const { giveBackAfterMs = keepMs, giveBackSoonMs = keepShortMs } = this.#options
    const soonMs = Math.min(giveBackAfterMs, giveBackSoonMs)
    this.#timer ??= setTimeout(() => {
      this.#giveIdleBack(giveBackAfterMs, soonMs)
        .catch(this.#logNotGivenBack)
        .finally(() => {
          this.#timer = undefined
          if (this.#blocks.size > 0) this.#giveBackLater()
        })
    }, soonMs).unref()
  }

  async #giveIdleBack(idleMs: number, soonMs: number): Promise<void> {
    const now = performance.now()
    const idle = this.#blocks.remove(
      (block) =>
        now - block.usedAt > (isNearlyUsed(block) ? soonMs : idleMs) &&
        block.demand === 0 &&
        !this.#reservations.isRunning(block),
    )
    const unused = idle
      .map((block) => ({ ...block, count: block.left + block.surplus }))
      .filter(({ count }) => count > 0)
    if (unused.length === 0) return
    // Not repeated when it fails: it may have been committed, and a block that is given back twice exceeds the cap.
    await this.#options.store.giveBack(unused)
  }
}
