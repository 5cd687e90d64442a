/**
 * Wakes requests that wait for their account's next report or reply. It polls once for all waiting accounts of the process, four
 * times a second, and not at all while none waits: a notification by the writers would cost every close.
 */
import type { Database } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import { every, type Periodic } from '../../platform/periodic.ts'

interface Waiter {
  readonly accountId: number
  readonly afterSeq: number
  readonly wake: () => void
}

const lookEveryMs = 250

export class ReportWaiters {
  readonly #database: Database
  readonly #waiters = new Set<Waiter>()
  readonly #looking: Periodic
  readonly #table: string
  #stopped = false

  /** `table`: that of the numbers that are waited for, reports or replies. */
  constructor(
    database: Database,
    log: Log,
    table: 'report_sequences' | 'reply_sequences' = 'report_sequences',
  ) {
    this.#database = database
    this.#table = table
    this.#looking = every(lookEveryMs, `looking at ${table}`, log, () => this.#look())
  }

  /** Resolves when the account has a report after `afterSeq`, after `ms` or when `signal` aborts. */
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
    await this.#looking.stop()
  }

  async #look(): Promise<void> {
    if (this.#waiters.size === 0) return
    const accounts = [...new Set([...this.#waiters].map((waiter) => waiter.accountId))]
    const sequences = await this.#database.query<{ account_id: number; last_seq: number }>({
      name: `waiters-${this.#table}`,
      text: `select account_id, last_seq from ${this.#table} where account_id = any($1)`,
      values: [accounts],
    })
    const lastSeqs = new Map(sequences.rows.map((row) => [row.account_id, row.last_seq]))
    for (const waiter of [...this.#waiters]) {
      if ((lastSeqs.get(waiter.accountId) ?? 0) > waiter.afterSeq) waiter.wake()
    }
  }
}
