/**
 * Changes of one account run one after the other in this process, so that an account never uses more than one connection of
 * the pool. A few wait, for a short time; the rest is answered with A920.
 */
import { Problem } from '../../contract/problem.ts'

const maxWaiting = 8
const maxWaitMs = 2_000
const retrySeconds = 2

export type RunInTurn = <T>(accountId: number, work: () => Promise<T>) => Promise<T>

export function createAccountQueue(): RunInTurn {
  const queues = new Map<number, { last: Promise<unknown>; length: number }>()
  return async (accountId, work) => {
    const queue = queues.get(accountId) ?? { last: Promise.resolve(), length: 0 }
    if (queue.length > maxWaiting) throw tooMany()
    queues.set(accountId, queue)
    queue.length++
    const since = performance.now()
    const mine = queue.last.then(() => {
      if (performance.now() - since > maxWaitMs) throw tooMany()
      return work()
    })
    queue.last = mine.catch(() => undefined)
    try {
      return await mine
    } finally {
      if (--queue.length === 0) queues.delete(accountId)
    }
  }
}

function tooMany(): Problem {
  return new Problem(
    'A920',
    'Service busy: other changes of the account are in progress; put the recipients into one request, or send it again',
    retrySeconds,
  )
}
