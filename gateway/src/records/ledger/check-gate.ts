/**
 * The check of the first queue, with every check of the ledger: stores until when it looked and what is missing, for all
 * workers and `postern ledger`, and logs an error when more is missing than before.
 */
import { inTransaction, type Database } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import { checkedUntil, findGateGaps } from './gate-table.ts'

/** `until`: everything accepted before must have been recorded; null when that is not known now. */
export async function checkGate(database: Database, log: Log, until: Date | null): Promise<void> {
  if (until === null) return
  const { gaps, missing, before } = await inTransaction(database, async (transaction) => {
    // The horizon of one worker may lie before that of another.
    const last = await transaction.query<{ until: Date; before: number }>(
      `select greatest(${checkedUntil}, $1) as until, gate_gap as before from ledger_checks for update`,
      [until],
    )
    const { until: latest, before } = last.rows[0] ?? { until, before: 0 }
    const { gaps, missing } = await findGateGaps(transaction, latest)
    await transaction.query('update ledger_checks set gate_until = $1, gate_gap = $2', [latest, missing])
    return { gaps, missing, before }
  })
  if (missing > before)
    log.error(
      { missing, where: gaps.slice(-10) },
      'messages that the broker confirmed were not recorded: they were lost in the first queue, or a worker that cannot reach PostgreSQL holds them; run `postern ledger` to see which accounts and minutes',
    )
}
