/**
 * What becomes of the waiting messages of a stopped account, a page at a time: they end, each with one report, or they are
 * put aside until the account is unblocked. A page and the check that the account is still stopped share a transaction, so
 * that a process that has not noticed the end of the stop changes nothing. Called by workers and `postern account unblock`.
 */
import { lockStopped } from '../../accounts/stops.ts'
import { clock } from '../../platform/clock.ts'
import { inTransaction, type Database, type Queryable } from '../../platform/database.ts'
import { putAside } from '../waiting/aside.ts'
import { findWaitingOf } from '../waiting/find-waiting.ts'
import { lockWaiting, removeWaiting } from '../waiting/write-waiting.ts'
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

/**
 * How many of its messages carriers have, and how many have neither ended nor been submitted. Reads all of `in_flight`, which
 * has no index by account.
 */
export async function countOpenOf(
  database: Queryable,
  accountId: number,
): Promise<{ readonly submitted: number; readonly open: number }> {
  const result = await database.query<{ submitted: number; open: number }>(
    `select count(*) filter (where state = 'claimed') as submitted,
            count(*) filter (where state = 'unclaimed') as open
       from in_flight where account_id = $1`,
    [accountId],
  )
  return result.rows[0]!
}

/** How many reports after `afterSeq` say that the message was ended by the stop, and the number of the last report. */
export async function countEndedOf(
  database: Queryable,
  accountId: number,
  afterSeq: number,
): Promise<{ readonly ended: number; readonly lastSeq: number }> {
  const result = await database.query<{ ended: number; lastSeq: number }>(
    `select count(*) filter (where report_code = '90011') as ended, coalesce(max(seq), $2) as "lastSeq"
       from reports where account_id = $1 and seq > $2`,
    [accountId, afterSeq],
  )
  return result.rows[0]!
}
