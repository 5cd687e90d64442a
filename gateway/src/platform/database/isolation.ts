/**
 * Flushes a batch and finds the items that cannot be flushed: if an item may cause the error, the batch is
 * halved until the item is alone. One bad item of 200 costs 16 more flushes instead of 200. An error that the
 * engine may have caused is attributed to an item only if other items of the batch succeed.
 */
import { summarizeError } from '../logging/log-error.ts'
import type { ErrorScope } from './transient.ts'

/** If at least this many items fail, and more than succeed, the engine or the installation is at fault. */
const minFailures = 5

/** The item fails twice alone while other items of its batch succeed. The error is permanent. */
export class PoisonedItem extends Error {
  override readonly name = 'PoisonedItem'
  /** Name and code of the cause, for the reason of the parked job. */
  readonly code: string

  constructor(cause: unknown) {
    super('the item fails alone while others of its batch succeed', { cause })
    this.code = summarizeError(cause)
  }
}

/** Most items of the batch fail, so the engine or the installation is at fault. The error is transient. */
export class BatchFailed extends Error {
  override readonly name = 'BatchFailed'
}

type Flush<In, Out> = (items: In[]) => Promise<Out[]>
type Results<Out> = PromiseSettledResult<Out>[]

/**
 * Returns one result per item; it never rejects. An error of the engine is the result of every item of its flush, and an
 * error of an item is its own.
 */
export async function flushIsolated<In, Out>(
  items: In[],
  flush: Flush<In, Out>,
  scopeOf: (error: unknown) => ErrorScope,
): Promise<Results<Out>> {
  const results = await new Isolation(flush, scopeOf).run(items)
  const isUnclear = (result: PromiseSettledResult<Out>): result is PromiseRejectedResult =>
    result.status === 'rejected' && scopeOf(result.reason) === 'unclear'
  const failures = results.filter(isUnclear).length
  if (failures === 0) return results
  const successes = results.filter(({ status }) => status === 'fulfilled').length
  if (failures >= minFailures && failures > successes) {
    const text = `${failures} of ${items.length} items failed; the cause is not an item`
    return results.map((result) =>
      isUnclear(result) ? rejected(new BatchFailed(text, { cause: result.reason })) : result,
    )
  }
  // If no item succeeds, nothing proves that an item is at fault: the caller decides by the error.
  if (successes === 0) return results
  for (const [index, result] of results.entries()) {
    if (isUnclear(result)) results[index] = await confirm(items[index]!, flush, scopeOf)
  }
  return results
}

class Isolation<In, Out> {
  readonly #flush: Flush<In, Out>
  readonly #scopeOf: (error: unknown) => ErrorScope
  #hasSuccess = false
  #failedAlone = 0

  constructor(flush: Flush<In, Out>, scopeOf: (error: unknown) => ErrorScope) {
    this.#flush = flush
    this.#scopeOf = scopeOf
  }

  async run(items: In[]): Promise<Results<Out>> {
    try {
      const values = await this.#flush(items)
      this.#hasSuccess = true
      return items.map((_, index) => ({ status: 'fulfilled', value: values[index]! }))
    } catch (error) {
      const scope = this.#scopeOf(error)
      if (items.length === 1 && scope === 'unclear') this.#failedAlone++
      // After some failures without a success each remaining half is tried once more and not divided further.
      const isHopeless = scope === 'unclear' && !this.#hasSuccess && this.#failedAlone >= minFailures
      if (items.length === 1 || scope === 'engine' || isHopeless) return items.map(() => rejected(error))
      const middle = Math.ceil(items.length / 2)
      const leftHalf = await this.run(items.slice(0, middle))
      return [...leftHalf, ...(await this.run(items.slice(middle)))]
    }
  }
}

/** Tries a failed item once more after others have succeeded or the engine has recovered. */
async function confirm<In, Out>(
  item: In,
  flush: Flush<In, Out>,
  scopeOf: (error: unknown) => ErrorScope,
): Promise<PromiseSettledResult<Out>> {
  try {
    const [value] = await flush([item])
    return { status: 'fulfilled', value: value! }
  } catch (error) {
    if (scopeOf(error) !== 'unclear') return rejected(error)
    return rejected(new PoisonedItem(error))
  }
}

function rejected(reason: unknown): PromiseRejectedResult {
  return { status: 'rejected', reason }
}
