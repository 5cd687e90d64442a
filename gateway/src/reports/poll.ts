/**
 * Polling: the oldest unacknowledged reports, at most 1000, the same batch again until it is deleted. Two
 * pollers of one account are given the same batch.
 */
import { inTransaction, type Database } from '../platform/database.ts'
import { randomLetters, timeDigits } from '../platform/keys.ts'
import { acknowledgeBatch, lockPollState, openBatch, readReports, type ReportRow } from './queries.ts'

export const maxBatchSize = 1000
export const pollingLifetimeMs = 3 * 86_400_000

export interface ReportBatch {
  /** Empty when there is nothing to deliver. */
  readonly reportId: string
  readonly rows: readonly ReportRow[]
}

export function pollReports(database: Database, accountId: number, now: Date): Promise<ReportBatch> {
  const createdAfter = new Date(now.getTime() - pollingLifetimeMs)
  return inTransaction(database, async (transaction) => {
    const state = await lockPollState(transaction, accountId)
    let ackedSeq = state.ackedSeq
    if (state.batchId !== null && state.batchLastSeq !== null) {
      const again = await readReports(
        transaction,
        accountId,
        ackedSeq,
        state.batchLastSeq,
        createdAfter,
        maxBatchSize,
      )
      if (again.length > 0) return { reportId: state.batchId, rows: again }
      // The whole batch grew too old while it was held: nobody can want it any more.
      await acknowledgeBatch(transaction, accountId, state.batchId)
      ackedSeq = state.batchLastSeq
    }
    const rows = await readReports(transaction, accountId, ackedSeq, null, createdAfter, maxBatchSize)
    const last = rows.at(-1)
    if (last === undefined) return { reportId: '', rows }
    const reportId = timeDigits(now) + randomLetters(11)
    await openBatch(transaction, accountId, reportId, last.seq, now)
    return { reportId, rows }
  })
}

export function isReportId(candidate: string): boolean {
  return /^\d{17}[0-9A-Z]{11}$/.test(candidate)
}
