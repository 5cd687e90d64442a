/** Waits for something that a search finds, for tests of clients. Bounded in time and in number, so that those who wait leave room for others. */
import { setTimeout as pause } from 'node:timers/promises'
import { clock } from '../../platform/clock.ts'
import { OperationError } from '../../acts/errors.ts'

const everyMs = 300
/** Each of those who wait searches about three times a second. */
export const maxWaiting = 4
export const maxPerOperator = 2
/** Messages that were accepted shortly before the request: a test sends first, and then asks. */
export const lookBackMs = 60_000

/** Operators of the requests that wait. */
const waiting: string[] = []

export interface Wait {
  readonly operator: string
  readonly seconds: number
  readonly stopping?: AbortSignal | undefined
}

/**
 * The first result that is not empty, or that of the first search when the time is over or the process stops. The first search is of
 * everything; the repeated ones are given a time and need look at nothing older, so that waiting costs the same however much is stored.
 */
export async function waitForItems<Result extends { readonly items: readonly unknown[] }>(
  search: (newerThan?: Date) => Promise<Result>,
  { operator, seconds, stopping }: Wait,
): Promise<Result> {
  const now = clock.now()
  const newerThan = new Date(now - lookBackMs)
  const first = await search()
  if (seconds === 0 || first.items.length > 0) return first
  const leave = enter(operator)
  try {
    const until = performance.now() + seconds * 1_000
    while (performance.now() < until && stopping?.aborted !== true) {
      const ms = Math.min(everyMs, Math.max(1, until - performance.now()))
      await pause(ms, undefined, stopping === undefined ? {} : { signal: stopping }).catch(() => undefined)
      const found = await search(newerThan)
      if (found.items.length > 0) return found
    }
    return first
  } finally {
    leave()
  }
}

/** Throws when too many wait. Returns how to leave. */
function enter(operator: string): () => void {
  const own = waiting.filter((name) => name === operator).length
  if (own >= maxPerOperator) throw tooMany(`${maxPerOperator} requests of ${operator} wait already`)
  if (waiting.length >= maxWaiting) throw tooMany(`${maxWaiting} requests wait already`)
  waiting.push(operator)
  return () => void waiting.splice(waiting.indexOf(operator), 1)
}

function tooMany(why: string): OperationError {
  return new OperationError('too-many-requests', `${why}; repeat the request`, { retryAfterSeconds: 1 })
}
