/**
 * Stops an account, and lets it send again. A block takes effect with its commit; workers then empty
 * the backlog, whether anybody watches or not.
 */
import { findAccountId } from '../accounts/queries.ts'
import { endStop, saveStopCounts, stopAccount, type AccountStop, type NewStop } from '../accounts/stops.ts'
import { isDatabaseUnavailable, type Database } from '../platform/database.ts'
import { countEndedOf, countOpenOf } from '../records/messages/stopped.ts'
import { countAsideOf, resumeWaitingOf } from '../records/waiting/aside.ts'
import { noSuchAccount } from './accounts.ts'
import type { ActAudit } from './act-audit.ts'

const rule = 'account-stopped'

export interface StopCounts {
  /** Messages that carriers have. */
  readonly submitted: number
  readonly closed: number
  readonly held: number
  /** Messages that are neither ended nor put aside yet. */
  readonly open: number
}

export async function countStopped(
  database: Database,
  { accountId, reportSeq }: AccountStop,
): Promise<StopCounts> {
  const { submitted, open } = await countOpenOf(database, accountId)
  const { ended } = await countEndedOf(database, accountId, reportSeq)
  const held = await countAsideOf(database, accountId, rule)
  return { submitted, closed: ended, held, open: Math.max(0, open - held) }
}

export interface Blocked {
  readonly stop: AccountStop
  /** `null` if they could not be read in time; the account is blocked all the same. */
  readonly counts: StopCounts | null
}

export async function blockAccount(
  database: Database,
  audit: ActAudit,
  clientId: string,
  { backlog, notice }: NewStop,
): Promise<Blocked> {
  const act = audit.actFor('blocked')
  const stop = await audit.change(async (transaction) => {
    const stopped = await stopAccount(transaction, clientId, act, { backlog, notice })
    if (stopped === null) throw noSuchAccount(clientId)
    const details = { backlog, notice: notice ?? null, webhooks: stopped.webhooks }
    return [stopped, { target: clientId, account: clientId, details }] as const
  })
  return { stop, counts: await countAndSave() }

  /** After the commit: an error of the database here would read as if the account were not blocked. */
  async function countAndSave(): Promise<StopCounts | null> {
    try {
      const counts = await countStopped(database, stop)
      await saveStopCounts(database, stop.id, counts)
      return counts
    } catch (error) {
      if (isDatabaseUnavailable(error)) return null
      throw error
    }
  }
}

/** Returns how many messages were held and are sent now. */
export async function unblockAccount(database: Database, audit: ActAudit, clientId: string): Promise<number> {
  const id = await findAccountId(database, clientId)
  const held = id === null ? 0 : await countAsideOf(database, id, rule)
  const accountId = await audit.change(async (transaction) => {
    const ended = await endStop(transaction, clientId, audit.actFor('unblocked'))
    if (ended === null) throw noSuchAccount(clientId)
    return [ended.accountId, { target: clientId, account: clientId, details: { held } }] as const
  })
  // After the commit, so that nobody else's block waits for it. If it is interrupted, the same act goes on.
  return resumeWaitingOf(database, accountId, rule)
}
