/**
 * Repeats a piece of work with backoff while PostgreSQL or the broker is unavailable. The delivery it works on stays
 * unacknowledged meanwhile, so nothing is lost and the broker delivers no more than the prefetch. Every stage uses it.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { backoffMs } from './backoff.ts'
import { isTransient } from './transient.ts'
import type { Log } from './log.ts'

const backoff = { firstMs: 100, maxMs: 2_000 }

/** The work was interrupted, because the process is stopping or holds the delivery for too long; it must be requeued. */
export class ProcessStopping extends Error {
  override readonly name = 'ProcessStopping'
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
      if (mayWarn(context.what)) {
        context.log.warn({ err: error as Error, tries }, `${context.what} failed; retrying`)
      }
      const { signal } = context
      await delay(backoffMs(tries - 1, backoff), undefined, { signal }).catch(() => undefined)
    }
  }
}

// Hundreds of jobs fail together when PostgreSQL or the broker becomes unavailable: one warning stands for all.
const warnEveryMs = 5_000
const lastWarned = new Map<string, number>()

function mayWarn(what: string): boolean {
  const now = performance.now()
  if (now - (lastWarned.get(what) ?? -Infinity) < warnEveryMs) return false
  lastWarned.set(what, now)
  return true
}
