/**
 * Empties the backlog of stopped accounts in pages: ends their waiting messages, or puts them aside until the account is
 * unblocked. A message that cannot be ended is logged and tried again later; it does not delay the others. One worker works
 * at a time, as a duty. While no account is stopped it costs nothing; while some are, one statement every ten seconds,
 * and more often only after a stop and while it finds messages.
 */
import type { Backlog } from '../../accounts/stops.ts'
import { clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import { flushIsolated } from '../../platform/isolation.ts'
import type { Log } from '../../platform/log.ts'
import type { Membership } from '../../platform/membership/membership.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { every, type Periodic } from '../../platform/periodic.ts'
import { scopeOf } from '../../platform/transient.ts'
import { closeWaiting, holdWaitingOf } from '../../records/messages/stopped.ts'
import { findAccountsWaiting, findWaitingOf } from '../../records/waiting/find-waiting.ts'

export interface StoppedAccountsContext {
  readonly database: Database
  readonly membership: Membership
  readonly stopped: () => ReadonlyMap<number, Backlog>
  readonly metrics: Pick<Metrics, 'closed'>
  readonly log: Log
}

const everyMs = 250
/** Messages that other workers and the queues had before the stop arrive for some seconds. */
const watchedMs = 30_000
const lookEveryMs = 10_000
const pageSize = 500
/** The pages of an account in a row: one with a million messages must not delay another. */
const maxPages = 20

export function startStoppedAccounts({
  database,
  membership,
  stopped,
  metrics,
  log,
}: StoppedAccountsContext): Periodic {
  const duty = membership.duty('stopped accounts')
  let known = stopped()
  let watchedUntil = -Infinity
  let nextLookAt = -Infinity

  const closer = new BacklogCloser({ database, metrics, log })

  async function empty(accountId: number, backlog: Backlog): Promise<void> {
    if (backlog === 'close') return closer.close(accountId)
    for (let page = 0; page < maxPages; page++)
      if ((await holdWaitingOf(database, accountId, 'account-stopped', pageSize)).done) return
  }

  /** A failure for one account does not delay the others. */
  async function tryToEmpty(accountId: number, backlog: Backlog): Promise<void> {
    try {
      await empty(accountId, backlog)
    } catch (error) {
      if (scopeOf(error) === 'engine') throw error
      log.error(
        { accountId, err: error as Error },
        'the backlog of a stopped account cannot be emptied and is tried again; nothing of it is submitted',
      )
    }
  }

  async function look(): Promise<void> {
    const now = performance.now()
    const accounts = stopped()
    if (!isSame(accounts, known)) watchedUntil = now + watchedMs
    known = accounts
    if (accounts.size === 0 || (now > watchedUntil && now < nextLookAt) || !(await duty.hold())) return
    nextLookAt = now + lookEveryMs
    const idsOf = (backlog: Backlog): number[] =>
      [...accounts].flatMap(([id, chosen]) => (chosen === backlog ? [id] : []))
    const found = [
      ...(await findAccountsWaiting(database, idsOf('close'), 'all')),
      ...(await findAccountsWaiting(database, idsOf('hold'), 'due')),
    ]
    if (found.length > 0) watchedUntil = performance.now() + watchedMs
    for (const accountId of found) await tryToEmpty(accountId, accounts.get(accountId)!)
  }

  const periodic = every(everyMs, 'emptying the backlog of stopped accounts', log, look)
  return {
    async stop() {
      await periodic.stop()
      await duty.release().catch((error: unknown) => {
        log.debug({ err: error as Error }, 'cannot give up the duty of stopped accounts; it expires')
      })
    },
  }
}

/** The map is built again every hour, mostly with the same accounts. */
function isSame(one: ReadonlyMap<number, Backlog>, other: ReadonlyMap<number, Backlog>): boolean {
  if (one === other) return true
  return one.size === other.size && [...one].every(([id, backlog]) => other.get(id) === backlog)
}

const againAfterMs = 60_000

/** Ends the waiting messages of an account in pages. A message that cannot be ended is logged and left out for a minute. */
class BacklogCloser {
  readonly #context: Pick<StoppedAccountsContext, 'database' | 'metrics' | 'log'>
  /** When the messages that could not be ended are tried again. */
  readonly #failed = new Map<string, number>()

  constructor(context: Pick<StoppedAccountsContext, 'database' | 'metrics' | 'log'>) {
    this.#context = context
  }

  async close(accountId: number): Promise<void> {
    const { database } = this.#context
    const now = clock.now()
    for (const [key, at] of this.#failed) if (at <= now) this.#failed.delete(key)
    // Messages that stay would be found again by every page, and hide the rest if they filled one.
    const left: string[] = []
    for (let page = 0; page < maxPages; page++) {
      const keys = await findWaitingOf(database, accountId, 'all', pageSize, [
        ...left,
        ...this.#failed.keys(),
      ])
      if (keys.length === 0) return
      const results = await flushIsolated(keys, (batch) => this.#closeBatch(accountId, batch), scopeOf)
      for (const [n, result] of results.entries()) {
        if (result.status === 'rejected') this.#leaveOut(keys[n]!, result.reason as Error)
        else if (result.value === 'not-stopped') return
        else if (result.value === 'left') left.push(keys[n]!)
      }
      if (keys.length < pageSize) return
    }
  }

  async #closeBatch(
    accountId: number,
    keys: readonly string[],
  ): Promise<('closed' | 'left' | 'not-stopped')[]> {
    const { database, metrics } = this.#context
    const closed = await closeWaiting(database, accountId, keys)
    if (closed === null) return keys.map(() => 'not-stopped')
    for (const code of closed.codes) metrics.closed.inc({ code })
    return keys.map((key) => (closed.left.includes(key) ? 'left' : 'closed'))
  }

  #leaveOut(key: string, error: Error): void {
    if (scopeOf(error) === 'engine') throw error
    this.#failed.set(key, clock.now() + againAfterMs)
    this.#context.log.error(
      { message: key, err: error },
      'a message of a stopped account cannot be ended and is tried again later; the others are not affected. See `postern message show`',
    )
  }
}
