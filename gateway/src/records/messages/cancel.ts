/** Cancels scheduled messages before they are released, even while an operator holds them. */
import { clock } from '../../platform/time/clock.ts'
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import {
  inTransaction,
  type Database,
  type Queryable,
  type Transactional,
} from '../../platform/database/database.ts'
import { timeDigits } from '../../contract/msg-key.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { searchPage } from '../search-page.ts'
import { textReportCodes } from '../../channels/report-codes.ts'
import { findMessageReports } from '../reports/queries.ts'
import { closeMessages } from './close.ts'
import { maxKey, searchKeys } from './search.ts'
import { scheduledSql } from '../waiting/waiting-step.ts'
import { removeWaiting } from '../waiting/write-waiting.ts'

const searchLimit = 5_000

/** Cancels those messages of the account that wait for their scheduled time. Returns how many. */
export function cancelScheduled(
  database: Transactional,
  accountId: number,
  msgKeys: readonly string[],
): Promise<number> {
  return inTransaction(database, async (transaction) => {
    // Lock the messages before their waiting rows, in the same order as deadlines.
    const open = await transaction.query<StepKey>(
      `select msg_key as "msgKey", step, try from in_flight
        where msg_key = any ($1) and account_id = $2 and state = 'unclaimed' order by msg_key for update`,
      [msgKeys, accountId],
    )
    const steps = await queryBulk<StepKey>(transaction, {
      text: `select w.msg_key as "msgKey", w.step, w.try from waiting w
               join unnest($1::text[], $2::smallint[], $3::smallint[]) as k (msg_key, step, try)
                 on w.msg_key = any (array[k.msg_key]) and w.step = k.step and w.try = k.try
              where ${scheduledSql} order by w.msg_key for update of w`,
      columns: columns(open.rows, ({ msgKey, step, try: nth }) => [msgKey, step, nth]),
    })
    const at = clock.date()
    await removeWaiting(transaction, steps)
    const closed = await closeMessages(
      transaction,
      steps.map((key) => ({ ...key, cause: 'cancelled', parts: 1, sentAt: at, at })),
    )
    return closed.length
  })
}

/** Returns the keys of the scheduled messages with this reference. A message is found about a second after its acceptance. */
export async function findScheduled(database: Database, accountId: number, ref: string): Promise<string[]> {
  // The key of a scheduled message begins with its time of sending.
  const fromKey = timeDigits(clock.date())
  const { items } = await searchPage(
    (beforeKey, limit) =>
      searchKeys(
        database,
        { accountId, ref, state: 'open', fromKey, beforeKey },
        Math.min(limit, searchLimit),
      ),
    maxKey,
    { limit: Infinity, budgetMs: Infinity },
  )
  const { rows } = await database.query<{ msgKey: string }>(
    `select w.msg_key as "msgKey" from waiting w where w.msg_key = any ($1) and ${scheduledSql} order by w.msg_key`,
    [items],
  )
  return rows.map(({ msgKey }) => msgKey)
}

/** Reports whether the message was cancelled, so that a client can repeat a cancellation whose response was lost. */
export async function isCancelled(database: Queryable, accountId: number, msgKey: string): Promise<boolean> {
  const reports = await findMessageReports(database, accountId, msgKey, new Date(0))
  return reports.some(({ reportCode }) => reportCode === textReportCodes.cancelled.code)
}
