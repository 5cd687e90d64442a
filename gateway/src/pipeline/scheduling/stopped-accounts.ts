/**
 * Empties the backlog of stopped accounts in pages: ends their waiting messages, or puts them aside until the account is
 * unblocked. A message that cannot be ended is logged and tried again later; it keeps no other from its end. One worker does
 * it at a time, as a duty. While no account is stopped it costs nothing; while some are, one
 * statement every ten seconds, and more often only after a stop and while it finds messages. Started by the worker role.
 */
import type { Backlog } from '../../accounts/stops.ts'
import type { Database } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Membership } from '../../platform/membership/membership.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { every, type Periodic } from '../../platform/periodic.ts'
import { scopeOf } from '../../platform/transient.ts'
import { holdWaitingOf } from '../../records/messages/stopped.ts'
import { findAccountsWaiting } from '../../records/waiting/stopped.ts'
import { BacklogCloser } from './close-backlog.ts'

export interface StoppedAccountsContext {
  readonly database: Database
  readonly membership: Membership
  /** From memory. */
  readonly stopped: () => ReadonlyMap<number, Backlog>
  readonly metrics: Pick<Metrics, 'closed'>
  readonly log: Log
}

const everyMs = 250
/** Other workers and the queues bring what they had before the stop for some seconds. */
const watchedMs = 30_000
const lookEveryMs = 10_000
const pageSize = 500
/** Pages of an account in a row, so that one with a million messages does not keep another waiting. */
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

  const closer = new BacklogCloser({ database, metrics, log }, pageSize)

  async function empty(accountId: number, backlog: Backlog): Promise<void> {
    if (backlog === 'close') return closer.close(accountId, maxPages)
    for (let page = 0; page < maxPages; page++)
      if ((await holdWaitingOf(database, accountId, 'account-stopped', pageSize)).done) return
  }

  /** What fails for one account does not keep the others waiting. */
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
