/** Cancels a scheduled message before it is released, even while an operator holds it. */
import { clock } from '../../platform/time/clock.ts'
import { inTransaction, type Queryable, type Transactional } from '../../platform/database/database.ts'
import { textReportCodes } from '../../channels/report-codes.ts'
import { findMessageReports } from '../reports/queries.ts'
import { closeMessages } from './close.ts'
import { scheduledSql } from '../waiting/waiting-step.ts'
import { removeWaiting } from '../waiting/write-waiting.ts'

/** Returns false if the account has no such message or it is not waiting for its scheduled time. */
export function cancelScheduled(
  database: Transactional,
  accountId: number,
  msgKey: string,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    // Lock the message before its waiting row, in the same order as deadlines.
    const open = await transaction.query<{ step: number; try: number }>(
      `select step, try from in_flight where msg_key = $1 and account_id = $2 and state = 'unclaimed' for update`,
      [msgKey, accountId],
    )
    const found = await transaction.query<{ step: number; try: number }>(
      `select step, try from waiting w
        where msg_key = $1 and step = $2 and try = $3 and ${scheduledSql} for update`,
      [msgKey, open.rows[0]?.step, open.rows[0]?.try],
    )
    const [row] = found.rows
    if (row === undefined) return false
    const at = clock.date()
    const key = { msgKey, step: row.step, try: row.try }
    await removeWaiting(transaction, [key])
    const closed = await closeMessages(transaction, [
      { ...key, cause: 'cancelled', parts: 1, sentAt: at, at },
    ])
    return closed.length === 1
  })
}

/** Lets a client repeat a cancellation whose response was lost. */
export async function isCancelled(database: Queryable, accountId: number, msgKey: string): Promise<boolean> {
  const reports = await findMessageReports(database, accountId, msgKey, new Date(0))
  return reports.some(({ reportCode }) => reportCode === textReportCodes.cancelled.code)
}
