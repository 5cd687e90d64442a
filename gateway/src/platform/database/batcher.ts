/**
 * Collects single items into bulk statements. While no flush runs, items are flushed immediately, so a single
 * item does not wait. If `maxWaitMs` is set and a flush is running, another one starts only when a batch is
 * full or its items have waited that long. If `scopeOf` is set, an item that cannot be flushed rejects only
 * its own caller (see `isolation.ts`).
 */
import { flushIsolated } from './isolation.ts'
import type { ErrorScope } from './transient.ts'

export interface BatcherOptions {
  readonly maxItems: number
  /** Maximum time that items wait for a running flush to end, unless they fill a batch. */
  readonly maxWaitMs?: number
  /** Maximum number of concurrent flushes. */
  readonly concurrency: number
  /**
   * Returns whether the engine or an item caused an error, or that it is unclear. The flush must have no effect
   * if it fails, or be repeatable. Without this function a failed flush rejects all its callers.
   */
  readonly scopeOf?: (error: unknown) => ErrorScope
}

interface Waiting<In, Out> {
  readonly item: In
  readonly resolve: (value: Out) => void
  readonly reject: (error: unknown) => void
}

export class Batcher<In, Out = void> {
  readonly #flush: (items: In[]) => Promise<Out[]>
  readonly #options: BatcherOptions
  #waiting: Waiting<In, Out>[] = []
  #running = 0
  #scheduled = false
  /** Runs while items wait for a running flush to end. */
  #waitTimer: NodeJS.Timeout | undefined

  /** `flush` returns one result per item, in order. */
  constructor(options: BatcherOptions, flush: (items: In[]) => Promise<Out[]>) {
    this.#options = options
    this.#flush = flush
  }

  add(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      this.#schedule()
    })
  }

  /** Returns one result per item, in order; it never rejects. */
  addAll(items: readonly In[]): Promise<PromiseSettledResult<Out>[]> {
    return Promise.allSettled(items.map((item) => this.add(item)))
  }

  get pending(): number {
    return this.#waiting.length
  }

  /** True if no item waits and no flush is running. */
  get isIdle(): boolean {
    return this.#waiting.length === 0 && this.#running === 0
  }

  #schedule(): void {
    if (this.#scheduled || this.#waiting.length === 0 || this.#running >= this.#options.concurrency) return
    const { maxItems, maxWaitMs = 0 } = this.#options
    if (maxWaitMs > 0 && this.#running > 0 && this.#waiting.length < maxItems)
      this.#waitTimer ??= setTimeout(() => void this.#run(), maxWaitMs)
    else this.#runNextTurn()
  }

  #runNextTurn(): void {
    this.#scheduled = true
    // Deferred to the next turn of the event loop: everything added in this turn joins the same batch.
    setImmediate(() => {
      this.#scheduled = false
      void this.#run()
    })
  }

  async #run(): Promise<void> {
    if (this.#running >= this.#options.concurrency || this.#waiting.length === 0) return
    clearTimeout(this.#waitTimer)
    this.#waitTimer = undefined
    const batch = this.#waiting.slice(0, this.#options.maxItems)
    this.#waiting = this.#waiting.slice(this.#options.maxItems)
    this.#running++
    this.#schedule()
    const { scopeOf = () => 'engine' } = this.#options
    const flushed = await flushIsolated(
      batch.map((entry) => entry.item),
      this.#flush,
      scopeOf,
    )
    batch.forEach(({ resolve, reject }, n) => {
      const result = flushed[n]!
      if (result.status === 'fulfilled') resolve(result.value)
      else reject(result.reason)
    })
    this.#running--
    this.#schedule()
  }
}
