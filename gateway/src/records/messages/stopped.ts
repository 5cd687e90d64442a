/**
 * Ends waiting messages of a blocked account or a cancelled batch, or those that an operator refuses, each with one report; or
 * suspends the messages of a blocked account until it is unblocked. A page and the check that the account is
 * still blocked share a transaction, so a process that has not noticed the unblocking changes nothing.
 */
import { lockBlockedAccount } from '../../identity/accounts/blocks.ts'
import type { Cause } from '../../channels/cause.ts'
import { clock } from '../../platform/time/clock.ts'
import { inTransaction, type Database, type Queryable } from '../../platform/database/database.ts'
import { lockHeld, lockSuspended, suspendSteps } from '../waiting/suspended.ts'
import { findAccountWaiting } from '../waiting/find-waiting.ts'
import { lockWaiting, removeWaiting } from '../waiting/write-waiting.ts'
import { closeMessages } from './close.ts'

export interface ClosedPage {
  /** Report codes of the messages that ended. */
  readonly codes: readonly string[]
  /** Keys that a route or another transaction holds. */
  readonly left: readonly string[]
}

/** Returns null if the account is not blocked with `close`, or is being changed. */
export function closeWaiting(
  database: Database,
  accountId: number,
  keys: readonly string[],
): Promise<ClosedPage | null> {
  return inTransaction(database, async (transaction) =>
    (await lockBlockedAccount(transaction, accountId, 'close'))
      ? endWaiting(transaction, keys, 'account-stopped')
      : null,
  )
}

/** Ends those of the messages that a rule holds, and returns how many. */
export function refuseHeld(database: Database, keys: readonly string[]): Promise<number> {
  return inTransaction(database, async (transaction) => {
    const { codes } = await endWaiting(transaction, await lockHeld(transaction, keys), 'spam')
    return codes.length
  })
}

const suspendedPage = 5_000

/** Ends the suspended messages of a cancelled batch: nothing else ends them before their deadline. Commits page by page. */
export async function closeSuspended(database: Database, batchId: number): Promise<void> {
  const closePage = (): Promise<number> =>
    inTransaction(database, async (transaction) => {
      const keys = await lockSuspended(transaction, batchId, suspendedPage)
      const { left } = await endWaiting(transaction, keys, 'cancelled')
      return keys.length - left.length
    })
  while ((await closePage()) === suspendedPage);
}

async function endWaiting(
  transaction: Queryable,
  keys: readonly string[],
  cause: Cause,
): Promise<ClosedPage> {
  const { current, ended } = await lockWaiting(transaction, keys)
  const stoppedSteps = [...current, ...ended]
  await removeWaiting(transaction, stoppedSteps)
  const at = clock.date()
  const closed = await closeMessages(
    transaction,
    current.map((step) => ({ ...step, cause, sentAt: at, at })),
  )
  const stoppedKeys = new Set(stoppedSteps.map(({ msgKey }) => msgKey))
  return { codes: closed.map(({ code }) => code), left: keys.filter((key) => !stoppedKeys.has(key)) }
}

/**
 * Suspends up to `limit` waiting messages of an account that is blocked with `hold`, including scheduled ones. `done`: none
 * is left, or the account is not blocked with `hold`, or is being changed.
 */
export function suspendWaiting(
  database: Database,
  accountId: number,
  rule: string,
  limit: number,
): Promise<{ readonly held: number; readonly done: boolean }> {
  return inTransaction(database, async (transaction) => {
    if (!(await lockBlockedAccount(transaction, accountId, 'hold'))) return { held: 0, done: true }
    const found = await findAccountWaiting(transaction, accountId, 'due', limit)
    return { held: await suspendSteps(transaction, found, rule), done: found.length < limit }
  })
}

/**
 * Counts the account's messages that carriers have, and those not submitted yet. Reads all of `in_flight`.
 */
export async function countOpenBySubmission(
  database: Queryable,
  accountId: number,
): Promise<{ readonly submitted: number; readonly unsubmitted: number }> {
  const result = await database.query<{ submitted: number; unsubmitted: number }>(
    `select count(*) filter (where state = 'claimed') as submitted,
            count(*) filter (where state = 'unclaimed') as unsubmitted
       from in_flight where account_id = $1`,
    [accountId],
  )
  return result.rows[0]!
}

/** Counts the messages that the block ended, by the reports with its code (90011) after `afterSeq`. */
export async function countEnded(
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
