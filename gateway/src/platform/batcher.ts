/**
 * Collects single items into bulk statements. It flushes as soon as a flush slot is free, so a single item does not wait
 * and a burst forms large batches; there is no timer to tune. With `isItemError` an item that cannot be flushed rejects
 * its own caller only: the batch is halved until the item is alone.
 */
export interface BatcherOptions {
  readonly maxItems: number
  /** Maximum number of concurrent flushes. */
  readonly concurrency: number
  /**
   * True for an error that an item of the batch causes, so that the others succeed without it. The flush must have no
   * effect when it fails, or be repeatable. Absent: a failed flush rejects all its callers.
   */
  readonly isItemError?: (error: unknown) => boolean
}

interface Waiting<In, Out> {
  readonly item: In
  readonly done: PromiseWithResolvers<Out>
}

export class Batcher<In, Out = void> {
  readonly #flush: (items: In[]) => Promise<Out[]>
  readonly #options: BatcherOptions
  #waiting: Waiting<In, Out>[] = []
  #running = 0
  #scheduled = false

  /** `flush` returns one result per item, in order. */
  constructor(options: BatcherOptions, flush: (items: In[]) => Promise<Out[]>) {
    this.#options = options
    this.#flush = flush
  }

  add(item: In): Promise<Out> {
    const done = Promise.withResolvers<Out>()
    this.#waiting.push({ item, done })
    this.#schedule()
    return done.promise
  }

  get pending(): number {
    return this.#waiting.length
  }

  /** Nothing waits and no flush is running. */
  get isIdle(): boolean {
    return this.#waiting.length === 0 && this.#running === 0
  }

  #schedule(): void {
    if (this.#scheduled || this.#running >= this.#options.concurrency) return
    this.#scheduled = true
    // Deferred to the next turn of the event loop: everything added in this turn joins the same batch.
    setImmediate(() => {
      this.#scheduled = false
      void this.#run()
    })
  }

  async #run(): Promise<void> {
    if (this.#running >= this.#options.concurrency || this.#waiting.length === 0) return
    const batch = this.#waiting.slice(0, this.#options.maxItems)
    this.#waiting = this.#waiting.slice(this.#options.maxItems)
    this.#running++
    if (this.#waiting.length > 0) this.#schedule()
    const { isItemError = () => false } = this.#options
    const flushed = await flushIsolated(
      batch.map((entry) => entry.item),
      this.#flush,
      isItemError,
    )
    batch.forEach(({ done }, index) => {
      const result = flushed[index]!
      if (result.status === 'fulfilled') done.resolve(result.value)
      else done.reject(result.reason)
    })
    this.#running--
    if (this.#waiting.length > 0) this.#schedule()
  }
}

/**
 * Flushes the items and returns one result per item; it never rejects. When an item causes the error, both halves of the
 * batch are flushed one after the other, and so on until the item is alone: one bad item of 200 costs 16 more flushes
 * instead of 200. Any other error is the result of every item of its flush.
 */
export async function flushIsolated<In, Out>(
  items: In[],
  flush: (items: In[]) => Promise<Out[]>,
  isItemError: (error: unknown) => boolean,
): Promise<PromiseSettledResult<Out>[]> {
  try {
    const results = await flush(items)
    return items.map((_, index) => ({ status: 'fulfilled', value: results[index]! }))
  } catch (error) {
    if (items.length > 1 && isItemError(error)) {
      const middle = Math.ceil(items.length / 2)
      const left = await flushIsolated(items.slice(0, middle), flush, isItemError)
      return [...left, ...(await flushIsolated(items.slice(middle), flush, isItemError))]
    }
    return items.map(() => ({ status: 'rejected', reason: error }))
  }
}
