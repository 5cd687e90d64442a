import type { BlockedBacklogMode } from '../../identity/accounts/blocks.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { flushIsolated } from '../../platform/database/isolation.ts'
import type { Log } from '../../platform/logging/log.ts'
import type { Membership } from '../../platform/membership/membership.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { every, type Periodic } from '../../platform/time/periodic.ts'
import { classifyError } from '../../platform/database/transient.ts'
import { closeWaiting, suspendWaiting } from '../../records/messages/stopped.ts'
import { findAccountsWaiting, findAccountWaiting } from '../../records/waiting/find-waiting.ts'

export interface BlockedAccountsContext {
  readonly database: Database
  readonly membership: Membership
  /** Returns the blocked accounts, and for each whether its backlog is ended or suspended. */
  readonly stopped: () => ReadonlyMap<number, BlockedBacklogMode>
  readonly metrics: Pick<Metrics, 'closed'>
  readonly log: Log
}

const everyMs = 250
/** Messages that other workers and the queues had before the block arrive for some seconds. */
const watchedMs = 30_000
const checkEveryMs = 10_000
const pageSize = 500
/** Maximum consecutive pages of an account; one with a million messages must not delay another. */
const maxPages = 20

/**
 * Empties the backlog of blocked accounts in pages: ends their waiting messages, or suspends them until the account
 * is unblocked. A message that cannot be ended is logged and retried later; it does not delay the others. One worker
 * works at a time, as a duty. It costs nothing while no account is blocked; otherwise one or two statements every ten
 * seconds, and more often only after a block and while it finds messages.
 */
export function startBlockedAccounts({
  database,
  membership,
  stopped,
  metrics,
  log,
}: BlockedAccountsContext): Periodic {
  const duty = membership.duty('stopped accounts')
  let blockedBefore = stopped()
  let watchedUntil = -Infinity
  let nextCheckAt = -Infinity

  const closer = new BacklogCloser({ database, metrics, log })

  async function emptyBacklog(accountId: number, backlog: BlockedBacklogMode): Promise<void> {
    if (backlog === 'close') return closer.close(accountId)
    for (let page = 0; page < maxPages; page++)
      if ((await suspendWaiting(database, accountId, 'account-stopped', pageSize)).done) return
  }

  /** Empties the backlog of an account; a failure does not delay the others. */
  async function tryToEmpty(accountId: number, backlog: BlockedBacklogMode): Promise<void> {
    try {
      await emptyBacklog(accountId, backlog)
    } catch (error) {
      if (classifyError(error) === 'engine') throw error
      log.error(
        { accountId, err: error as Error },
        'the backlog of a blocked account cannot be emptied and is retried; nothing of it is submitted',
      )
    }
  }

  async function check(): Promise<void> {
    const now = performance.now()
    const accounts = stopped()
    if (!isSame(accounts, blockedBefore)) watchedUntil = now + watchedMs
    blockedBefore = accounts
    if (accounts.size === 0 || (now > watchedUntil && now < nextCheckAt) || !(await duty.hold())) return
    nextCheckAt = now + checkEveryMs
    const filterIds = (backlog: BlockedBacklogMode): number[] =>
      [...accounts].flatMap(([id, chosen]) => (chosen === backlog ? [id] : []))
    const found = [
      ...(await findAccountsWaiting(database, filterIds('close'), 'all')),
      ...(await findAccountsWaiting(database, filterIds('hold'), 'due')),
    ]
    if (found.length > 0) watchedUntil = performance.now() + watchedMs
    for (const accountId of found) await tryToEmpty(accountId, accounts.get(accountId)!)
  }

  const periodic = every(everyMs, 'emptying the backlog of blocked accounts', log, check)
  return {
    async stop() {
      await periodic.stop()
      await duty.release().catch((error: unknown) => {
        log.debug({ err: error as Error }, 'cannot give up the duty of blocked accounts; it expires')
      })
    },
  }
}

/** Compares the entries, because the map is rebuilt every hour, mostly with the same accounts. */
function isSame(
  left: ReadonlyMap<number, BlockedBacklogMode>,
  right: ReadonlyMap<number, BlockedBacklogMode>,
): boolean {
  if (left === right) return true
  return left.size === right.size && [...left].every(([id, backlog]) => right.get(id) === backlog)
}

const retryAfterMs = 60_000

/**
 * Ends the waiting messages of an account in pages. A message that cannot be ended is logged and skipped for
 * a minute.
 */
class BacklogCloser {
  readonly #context: Pick<BlockedAccountsContext, 'database' | 'metrics' | 'log'>
  /** Time at which each message that could not be ended is retried. */
  readonly #failed = new Map<string, number>()

  constructor(context: Pick<BlockedAccountsContext, 'database' | 'metrics' | 'log'>) {
    this.#context = context
  }

  async close(accountId: number): Promise<void> {
    const { database } = this.#context
    const now = clock.now()
    for (const [key, at] of this.#failed) if (at <= now) this.#failed.delete(key)
    // Messages that stay would be found again by every page, and hide the rest if they filled one.
    const left: string[] = []
    for (let page = 0; page < maxPages; page++) {
      const keys = await findAccountWaiting(database, accountId, 'all', pageSize, [
        ...left,
        ...this.#failed.keys(),
      ])
      if (keys.length === 0) return
      const results = await flushIsolated(keys, (batch) => this.#closeBatch(accountId, batch), classifyError)
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
    if (classifyError(error) === 'engine') throw error
    this.#failed.set(key, clock.now() + retryAfterMs)
    this.#context.log.error(
      { message: key, err: error },
      'a message of a blocked account cannot be ended and is retried later; the others are not affected. See `postern message show`',
    )
  }
}
