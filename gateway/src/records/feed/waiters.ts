/**
 * Wakes requests that wait for the next row of their account. Reads the last numbers of all waiting accounts
 * of the process four times per second, and not at all while none waits: a notification by the writers would
 * slow down every close.
 */
import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/logging/log.ts'
import { every, type Periodic } from '../../platform/time/periodic.ts'
import { readLastSeqs, type Feed, type FeedRow } from './feed.ts'

interface Waiter {
  readonly accountId: number
  readonly afterSeq: number
  readonly wake: () => void
}

const intervalMs = 250

export class FeedWaiters {
  readonly #database: Database
  readonly #feed: Pick<Feed<FeedRow>, 'name'>
  readonly #waiters = new Set<Waiter>()
  readonly #checks: Periodic
  #stopped = false

  constructor(database: Database, log: Log, feed: Pick<Feed<FeedRow>, 'name'>) {
    this.#database = database
    this.#feed = feed
    this.#checks = every(intervalMs, `waking requests that wait for a ${feed.name}`, log, () => this.#check())
  }

  /** Resolves when the account has a row after `afterSeq`, after `ms` or when `signal` aborts. */
  wait(accountId: number, afterSeq: number, ms: number, signal: AbortSignal): Promise<void> {
    if (this.#stopped || signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const waiter: Waiter = {
        accountId,
        afterSeq,
        wake: () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', waiter.wake)
          this.#waiters.delete(waiter)
          resolve()
        },
      }
      const timer = setTimeout(waiter.wake, ms)
      signal.addEventListener('abort', waiter.wake)
      this.#waiters.add(waiter)
    })
  }

  get waiting(): number {
    return this.#waiters.size
  }

  /** Wakes all waiters, so that a stopping server does not wait for them. */
  async stop(): Promise<void> {
    this.#stopped = true
    for (const waiter of [...this.#waiters]) waiter.wake()
    await this.#checks.stop()
  }

  async #check(): Promise<void> {
    if (this.#waiters.size === 0) return
    const accountIds = [...new Set([...this.#waiters].map(({ accountId }) => accountId))]
    const lastSeqs = await readLastSeqs(this.#database, this.#feed, accountIds)
    for (const waiter of [...this.#waiters])
      if ((lastSeqs.get(waiter.accountId) ?? 0) > waiter.afterSeq) waiter.wake()
  }
}
