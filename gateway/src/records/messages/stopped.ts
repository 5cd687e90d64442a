/**
 * What becomes of the waiting messages of a stopped account, a page at a time: they end, each with one report, or they are
 * put aside until the account is unblocked. A page and the check that the account is still stopped share a transaction, so
 * that a process that has not noticed the end of the stop changes nothing. Called by workers and `postern account unblock`.
 */
import { lockStopped } from '../../accounts/stops.ts'
import { clock } from '../../platform/clock.ts'
import { inTransaction, type Database, type Queryable } from '../../platform/database.ts'
import { findWaitingOf, lockWaiting, putAside } from '../waiting/stopped.ts'
import { removeWaiting } from '../waiting/waiting.ts'
import { closeMessages } from './close.ts'

export interface ClosedPage {
  /** Report codes of the messages that ended. */
  readonly codes: readonly string[]
  /** Those of the keys that stay for now: a route or another transaction has them. */
  readonly left: readonly string[]
}

/** Ends those of the messages that wait. Null when the account is not stopped, or is being changed. */
export function closeWaiting(
  database: Database,
  accountId: number,
  keys: readonly string[],
): Promise<ClosedPage | null> {
  return inTransaction(database, async (transaction) => {
    if (!(await lockStopped(transaction, accountId, 'close'))) return null
    const { current, ended } = await lockWaiting(transaction, keys)
    const taken = [...current, ...ended]
    await removeWaiting(transaction, taken)
    const at = clock.date()
    const closed = await closeMessages(
      transaction,
      current.map((step) => ({ ...step, cause: 'account-stopped' as const, sentAt: at, at })),
    )
    const gone = new Set(taken.map(({ msgKey }) => msgKey))
    return { codes: closed.map(({ code }) => code), left: keys.filter((key) => !gone.has(key)) }
  })
}

export function holdWaitingOf(
  database: Database,
  accountId: number,
  rule: string,
  limit: number,
): Promise<{ readonly held: number; readonly done: boolean }> {
  return inTransaction(database, async (transaction) => {
    if (!(await lockStopped(transaction, accountId, 'hold'))) return { held: 0, done: true }
    const found = await findWaitingOf(transaction, accountId, 'due', limit)
    return { held: await putAside(transaction, found, rule), done: found.length < limit }
  })
}

/** How many of its messages carriers have, wait to be taken from a queue, and were ended by the stop. */
export async function countStopped(
  database: Queryable,
  accountId: number,
  afterSeq: number,
): Promise<{ readonly submitted: number; readonly open: number; readonly closed: number }> {
  const result = await database.query<{ submitted: number; open: number; closed: number }>(
    `select count(*) filter (where state = 'submitting') as submitted,
            count(*) filter (where state = 'released') as open,
            (select count(*) from reports where account_id = $1 and seq > $2 and report_code = '90011') as closed
       from in_flight where account_id = $1`,
    [accountId, afterSeq],
  )
  return result.rows[0]!
}
