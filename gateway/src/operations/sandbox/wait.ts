/**
 * Waits until a search finds something, for client tests. Time and number of waiting requests are limited, to
 * leave capacity for others.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { clock } from '../../platform/time/clock.ts'
import { OperationError } from '../errors.ts'

const everyMs = 300
/** Limited, because each waiting request searches about three times per second. */
export const maxWaitingRequests = 4
export const maxWaitingPerOperator = 2
/** Includes messages accepted shortly before the request: a test sends first, then waits. */
export const lookBackMs = 60_000

/** Operators of the waiting requests. */
const waiting: string[] = []

export interface Wait {
  readonly operator: string
  readonly seconds: number
  readonly stopping?: AbortSignal | undefined
}

/**
 * Returns the first non-empty result, or that of the first search if the time is over or the process stops.
 * The first search covers everything; repeated ones get a time and can skip older messages, so that waiting
 * costs the same however much is stored.
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

/** Throws if too many requests wait. Returns a function that ends the wait. */
function enter(operator: string): () => void {
  const waitingOfOperator = waiting.filter((name) => name === operator).length
  if (waitingOfOperator >= maxWaitingPerOperator)
    throw tooMany(`${maxWaitingPerOperator} requests of operator '${operator}' are already waiting`)
  if (waiting.length >= maxWaitingRequests)
    throw tooMany(`${maxWaitingRequests} requests are already waiting`)
  waiting.push(operator)
  return () => void waiting.splice(waiting.indexOf(operator), 1)
}

function tooMany(why: string): OperationError {
  return new OperationError('too-many-requests', `${why}; retry`, { retryAfterSeconds: 1 })
}
