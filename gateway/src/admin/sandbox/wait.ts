/** Waits for something that a search finds, for tests of clients. Bounded in time and in number, so that those who wait leave room for others. */
import { setTimeout as pause } from 'node:timers/promises'
import { AdminProblem } from '../problem.ts'

const everyMs = 300
/** Of all operators together; each of them searches about three times a second. */
export const maxWaiting = 16
let waiting = 0

/** The first result that is not empty, or the last one when the time is over or the process stops. */
export async function waitForItems<Result extends { readonly items: readonly unknown[] }>(
  search: () => Promise<Result>,
  seconds: number,
  stopping?: AbortSignal,
): Promise<Result> {
  const first = await search()
  if (seconds === 0 || first.items.length > 0) return first
  if (waiting >= maxWaiting)
    throw new AdminProblem('too-many-requests', `${maxWaiting} requests wait already; repeat the request`, 1)
  waiting += 1
  try {
    const until = performance.now() + seconds * 1_000
    let found = first
    while (found.items.length === 0 && performance.now() < until && stopping?.aborted !== true) {
      const ms = Math.min(everyMs, Math.max(1, until - performance.now()))
      await pause(ms, undefined, stopping === undefined ? {} : { signal: stopping }).catch(() => undefined)
      found = await search()
    }
    return found
  } finally {
    waiting -= 1
  }
}
