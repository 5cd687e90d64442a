/**
 * Cancels a scheduled message before it is released. It ends like any other message, with one report, so that the ledger
 * balances. A released message cannot be cancelled.
 */
import { clock } from '../../platform/clock.ts'
import { inTransaction, type Database } from '../../platform/database.ts'
import { closeMessages } from './close.ts'
import { removeWaiting } from '../waiting/waiting.ts'

/** False when the account has no such message or it is not waiting for its scheduled time. */
export function cancelScheduled(database: Database, accountId: number, msgKey: string): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const found = await transaction.query<{ step: number; try: number }>(
      `select w.step, w.try from waiting w join in_flight f on f.msg_key = w.msg_key and f.step = w.step and f.try = w.try
        where w.msg_key = $1 and w.account_id = $2 and w.reason = 'scheduled' and f.state = 'released'
        for update of w, f`,
      [msgKey, accountId],
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
