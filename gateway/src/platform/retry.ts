/**
 * Repeats a piece of work with backoff while PostgreSQL or the broker is unavailable. The delivery it works on stays
 * unacknowledged meanwhile, so nothing is lost and the broker delivers no more than the prefetch. Every stage uses it.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { backoffMs } from './backoff.ts'
import { RareLog } from './rare-log.ts'
import { isTransient } from './transient.ts'
import type { Log } from './log.ts'

const rareLog = new RareLog()
const backoff = { firstMs: 100, maxMs: 2_000 }

/** The work was interrupted, because the process is stopping or holds the delivery for too long; it must be requeued. */
export class ProcessStopping extends Error {
  override readonly name = 'ProcessStopping'
}

/** Resolves to `stopping` if the work was interrupted. Nothing is known about its effect then. */
export async function unlessStopping<T>(work: Promise<T>): Promise<T | 'stopping'> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ProcessStopping) return 'stopping'
    throw error
  }
}

export async function retryTransient<T>(
  work: () => Promise<T>,
  context: { readonly what: string; readonly log: Log; readonly signal: AbortSignal },
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error)) throw error
      if (context.signal.aborted)
        throw new ProcessStopping(`${context.what} was interrupted`, { cause: error })
      const suppressed = rareLog.due(context.what)
      if (suppressed !== undefined)
        context.log.warn({ err: error as Error, tries, suppressed }, `${context.what} failed; retrying`)
      const { signal } = context
      await delay(backoffMs(tries - 1, backoff), undefined, { signal }).catch(() => undefined)
    }
  }
}

/** For what no other process knows: repeated for as long as this process runs, whatever else of it stops. */
export async function retryWhileRunning<T>(
  work: () => Promise<T>,
  { what, log }: { readonly what: string; readonly log: Log },
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error)) throw error
      const suppressed = rareLog.due(what)
      if (suppressed !== undefined)
        log.warn({ err: error as Error, tries, suppressed }, `${what} failed; retrying`)
      await delay(backoffMs(tries - 1, backoff), undefined, { ref: false })
    }
  }
}
