/**
 * Retries work with backoff while PostgreSQL or the broker is unavailable. The broker delivery of the work stays
 * unacknowledged in the meantime, so nothing is lost and the broker delivers no more than the prefetch.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { backoffMs } from '../time/backoff.ts'
import { ThrottledLog } from '../logging/throttled-log.ts'
import { isTransient } from './transient.ts'
import type { Log } from '../logging/log.ts'

const rareLog = new ThrottledLog()
const backoff = { firstMs: 100, maxMs: 2_000 }

/**
 * The work was interrupted, because the process is stopping or has held the delivery for too long; it must be
 * requeued.
 */
export class ProcessStopping extends Error {
  override readonly name = 'ProcessStopping'
}

/** Resolves to `stopping` if the work was interrupted; its effect is then unknown. */
export async function settleUnlessStopping<T>(work: Promise<T>): Promise<T | 'stopping'> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ProcessStopping) return 'stopping'
    throw error
  }
}

export interface DatabaseRetryContext {
  /** Prefix of the log line. */
  readonly what: string
  readonly log: Log
}

/** Throws `ProcessStopping` if the work fails with a transient error after `signal` was aborted. */
export function retryTransient<T>(
  work: () => Promise<T>,
  context: DatabaseRetryContext & { readonly signal: AbortSignal },
): Promise<T> {
  return repeat(work, context, context.signal)
}

/** Retries work that no other process can do, for as long as this process runs. */
export function retryWhileRunning<T>(work: () => Promise<T>, context: DatabaseRetryContext): Promise<T> {
  return repeat(work, context, undefined)
}

async function repeat<T>(
  work: () => Promise<T>,
  { what, log }: DatabaseRetryContext,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error)) throw error
      if (signal?.aborted === true) throw new ProcessStopping(`${what} was interrupted`, { cause: error })
      const suppressed = rareLog.due(what)
      if (suppressed !== undefined)
        log.warn({ err: error as Error, tries, suppressed }, `${what} failed; retrying`)
      const options = signal === undefined ? { ref: false } : { signal }
      await delay(backoffMs(tries - 1, backoff), undefined, options).catch(() => undefined)
    }
  }
}
