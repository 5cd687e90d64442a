/** Ends messages that a rule holds and an operator refuses, each with one report. Called by `postern held refuse`. */
import { clock } from '../../platform/clock.ts'
import { inTransaction, type Database } from '../../platform/database.ts'
import { lockHeld } from '../waiting/aside.ts'
import { lockWaiting, removeWaiting } from '../waiting/write-waiting.ts'
import { closeMessages } from './close.ts'

/** Returns how many of them were held and ended now. */
export function refuseHeld(database: Database, keys: readonly string[]): Promise<number> {
  return inTransaction(database, async (transaction) => {
    const { current, ended } = await lockWaiting(transaction, await lockHeld(transaction, keys))
    await removeWaiting(transaction, [...current, ...ended])
    const at = clock.date()
    const closed = await closeMessages(
      transaction,
      current.map((step) => ({ ...step, cause: 'spam' as const, sentAt: at, at })),
    )
    return closed.length
  })
}
