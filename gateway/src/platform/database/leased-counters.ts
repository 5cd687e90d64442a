/**
 * Counters whose limits all processes together never exceed. A process leases a block of a counter from a store, such
 * as a table of PostgreSQL, and takes from it in memory: one statement serves hundreds of takes. While the
 * store is unavailable, nothing beyond the block is granted: a counter fails closed.
 *
 * A take that fits the remainder of the block is always served. What happens to others depends on the block:
 *
 * - While more is requested from the store (`leasing`), they wait for the response.
 * - While the store has nothing left (`exhaustedAtMs`), they are refused. After a second the store is asked again.
 * - Otherwise they request more.
 *
 * A block is closed when it was idle, when its limit is lowered, and at the stop. Its remainder and later grants
 * are then given back.
 */
import type { Log } from '../logging/log.ts'
import { settleOrTimeout } from '../time/settle-or-timeout.ts'

export interface CounterUse<Key> {
  /** Identifies the counter in this process. */
  readonly name: string
  /** Identifies the counter in the store. */
  readonly key: Key
  readonly max: number
  readonly count: number
}

export interface CounterGrant {
  readonly granted: number
  /** The use by all processes, including this grant. */
  readonly used: number
}

export interface CounterStore<Key> {
  /** Grants up to `wanted`, never beyond `max`. */
  readonly reserve: (key: Key, wanted: number, max: number) => Promise<CounterGrant>
  readonly giveBack: (unused: readonly { readonly key: Key; readonly count: number }[]) => Promise<void>
}

export type TakeResult<Use> =
  /** `putBack` undoes the take. */
  | { readonly kind: 'taken'; readonly putBack: () => void }
  | { readonly kind: 'reached'; readonly use: Use }
  /** The store failed or did not respond in time, or other takes used up what it granted. */
  | { readonly kind: 'busy' }

export interface LeaseTimes {
  /** Time for which an unused block is kept. An account that sends every few seconds keeps its block. */
  readonly keepMs?: number
  /** Time for which an unused block of a nearly used-up counter is kept: other processes may need the rest. */
  readonly keepShortMs?: number
  /** Maximum time a take waits for the store. */
  readonly waitMs?: number
}

interface Block<Key> {
  readonly key: Key
  max: number
  /** Leased and unused amount. */
  left: number
  /** Total that pending takes wait for. */
  wanted: number
  /** Use by all processes in the store's last response. */
  used: number
  usedAtMs: number
  leasing: Promise<void> | undefined
  exhaustedAtMs: number
  isClosed: boolean
}

/** Blocks are small, because the block of a killed process counts as used. */
const maxBlock = 1_000
/** Fraction of the remainder that a process leases, so that the last takes succeed in every process. */
const blockFraction = 1 / 16
/** Smaller blocks are leased only on demand. */
const minAhead = 16
/** A counter of which at most this fraction is left is nearly used up. */
const nearlyUsedFraction = 0.1
const exhaustedRetryMs = 1_000
/** Limit of retries: other takes may use up what was leased for a waiting one. */
const maxRounds = 20

export class LeasedCounters<Key, Use extends CounterUse<Key>> {
  readonly #store: CounterStore<Key>
  readonly #log: Log
  readonly #times: Required<LeaseTimes>
  readonly #blocks = new Map<string, Block<Key>>()
  #timer: NodeJS.Timeout | undefined

  constructor(store: CounterStore<Key>, log: Log, times: LeaseTimes = {}) {
    this.#store = store
    this.#log = log
    this.#times = { keepMs: 30_000, keepShortMs: 1_000, waitMs: 2_000, ...times }
  }

  /** Takes from all counters or from none. */
  async take(uses: readonly Use[]): Promise<TakeResult<Use>> {
    for (const use of uses) this.#setMax(use)
    const pendingBlocks = uses.map((use) => this.#open(use))
    pendingBlocks.forEach((block, n) => (block.wanted += uses[n]!.count))
    try {
      for (let round = 0; round < maxRounds; round++) {
        // Blocks may have been closed while this take waited.
        const blocks = uses.map((use) => this.#open(use))
        const lacking = uses.filter((use, n) => blocks[n]!.left < use.count)
        if (lacking.length === 0) return this.#use(blocks, uses)
        const reached = lacking.find((use) => isExhausted(this.#open(use)))
        if (reached !== undefined) return { kind: 'reached', use: reached }
        const leases = Promise.all(lacking.map((use) => this.#lease(this.#open(use))))
        if (!(await settleOrTimeout(this.#times.waitMs, leases))) break
        await leases
      }
    } catch {
      return { kind: 'busy' }
    } finally {
      pendingBlocks.forEach((block, n) => (block.wanted -= uses[n]!.count))
    }
    return { kind: 'busy' }
  }

  /** Returns the leased and unused amount of a counter. */
  left(name: string): number {
    return this.#blocks.get(name)?.left ?? 0
  }

  /** Gives back all blocks if the store responds in time. Call it after the last take. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const closing = this.#close([...this.#blocks.keys()])
    if (!(await settleOrTimeout(this.#times.waitMs, closing))) this.#logNotGivenBack()
  }

  #open(use: Use): Block<Key> {
    let block = this.#blocks.get(use.name)
    if (block !== undefined) return block
    block = {
      key: use.key,
      max: use.max,
      left: 0,
      wanted: 0,
      used: 0,
      usedAtMs: performance.now(),
      leasing: undefined,
      exhaustedAtMs: -Infinity,
      isClosed: false,
    }
    this.#blocks.set(use.name, block)
    this.#closeIdleLater()
    return block
  }

  /** A block whose limit is lowered is closed, and its remainder given back before more is leased. */
  #setMax(use: Use): void {
    const block = this.#blocks.get(use.name)
    if (block === undefined || block.max === use.max) return
    if (use.max > block.max) {
      block.max = use.max
      block.exhaustedAtMs = -Infinity
      return
    }
    const closing = this.#close([use.name])
    const next = this.#open(use)
    next.leasing = closing.finally(() => (next.leasing = undefined))
  }

  #use(blocks: readonly Block<Key>[], uses: readonly Use[]): TakeResult<Use> {
    blocks.forEach((block, n) => {
      block.left -= uses[n]!.count
      block.usedAtMs = performance.now()
      const size = computeBlockSize(block)
      // More is leased ahead so that most takes need not wait. If this fails, the first take that lacks something leases again.
      if (size >= minAhead && block.left < size / 4) this.#lease(block).catch(() => undefined)
    })
    return { kind: 'taken', putBack: () => this.#putBack(blocks, uses) }
  }

  #putBack(blocks: readonly Block<Key>[], uses: readonly Use[]): void {
    const closed: { key: Key; count: number }[] = []
    blocks.forEach((block, n) => {
      const { key, count } = uses[n]!
      if (block.isClosed) closed.push({ key, count })
      else block.left += count
    })
    if (closed.length > 0) this.#store.giveBack(closed).catch(this.#logNotGivenBack)
  }

  /**
   * Sends one statement at a time and waits for its response, however late: a second one would be granted as
   * well, and the first grant would be lost.
   */
  #lease(block: Block<Key>): Promise<void> {
    block.leasing ??= this.#reserve(block).finally(() => (block.leasing = undefined))
    return block.leasing
  }

  async #reserve(block: Block<Key>): Promise<void> {
    const wanted = Math.max(1, block.wanted, computeBlockSize(block))
    const { granted, used } = await this.#store.reserve(block.key, wanted, block.max)
    block.used = used
    block.left += granted
    if (granted > 0) block.usedAtMs = performance.now()
    if (used >= block.max) block.exhaustedAtMs = performance.now()
  }

  #closeIdleLater(): void {
    const { keepMs, keepShortMs } = this.#times
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined
        void this.#close([...this.#blocks].filter(([, block]) => this.#isIdle(block)).map(([name]) => name))
        if (this.#blocks.size > 0) this.#closeIdleLater()
      },
      Math.min(keepMs, keepShortMs),
    ).unref()
  }

  #isIdle({ usedAtMs, wanted, leasing, max, used }: Block<Key>): boolean {
    const { keepMs, keepShortMs } = this.#times
    const keptMs = max - used <= max * nearlyUsedFraction ? Math.min(keepMs, keepShortMs) : keepMs
    return wanted === 0 && leasing === undefined && performance.now() - usedAtMs > keptMs
  }

  async #close(names: readonly string[]): Promise<void> {
    const blocks = names.map((name) => this.#blocks.get(name)!)
    for (const name of names) this.#blocks.delete(name)
    for (const block of blocks) block.isClosed = true
    await Promise.allSettled(blocks.flatMap(({ leasing }) => leasing ?? []))
    const unused = blocks.filter(({ left }) => left > 0).map(({ key, left }) => ({ key, count: left }))
    for (const block of blocks) block.left = 0
    // Not retried: it may have been committed, and a block that is returned twice exceeds the limit.
    if (unused.length > 0) await this.#store.giveBack(unused).catch(this.#logNotGivenBack)
  }

  readonly #logNotGivenBack = (error?: unknown): void =>
    this.#log.warn(
      { err: error as Error | undefined },
      'cannot return leased counter blocks; they count as used',
    )
}

function computeBlockSize({ max, used }: Pick<Block<unknown>, 'max' | 'used'>): number {
  return Math.min(maxBlock, Math.floor((max - used) * blockFraction))
}

function isExhausted({ exhaustedAtMs }: Pick<Block<unknown>, 'exhaustedAtMs'>): boolean {
  return performance.now() - exhaustedAtMs < exhaustedRetryMs
}
