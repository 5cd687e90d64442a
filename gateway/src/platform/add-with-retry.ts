/**
 * Adds the jobs of one broker message to a batcher together, and retries those that failed because PostgreSQL or the
 * broker is unavailable.
 */
import type { Batcher } from './database/batcher.ts'
import { isTransient } from './database/transient.ts'

/** Runs work once, or again while it fails with a transient error. */
export type RetryRunner = <T>(what: string, work: () => Promise<T>) => Promise<T>

/** Returns one result per item, in order. Rejects with a transient error if `run` gives up. */
export async function addWithRetry<In, Out>(
  batcher: Pick<Batcher<In, Out>, 'addAll'>,
  items: readonly In[],
  what: string,
  run: RetryRunner,
): Promise<PromiseSettledResult<Out>[]> {
  const results = new Array<PromiseSettledResult<Out>>(items.length)
  let open = items.map((_, index) => index)
  await run(what, async () => {
    const added = await batcher.addAll(open.map((index) => items[index]!))
    added.forEach((result, n) => (results[open[n]!] = result))
    open = open.filter((index) => transientReason(results[index]!) !== undefined)
    if (open.length > 0) throw transientReason(results[open[0]!]!)!
  })
  return results
}

function transientReason(result: PromiseSettledResult<unknown>): Error | undefined {
  if (result.status === 'fulfilled' || !isTransient(result.reason)) return undefined
  return result.reason as Error
}
