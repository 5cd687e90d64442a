/**
 * Polling: the oldest unacknowledged reports, at most 1000, the same batch again until it is deleted. Two pollers of one
 * account get the same batch. Reports past the polling lifetime are skipped by number, neither read nor deleted here:
 * they serve inquiries until their day's partition is dropped.
 */
import { inTransaction, type Database, type Queryable } from '../../platform/database.ts'
import { randomLetters, timeDigits } from '../../contract/msg-key.ts'
import {
  acknowledgeBatch,
  lockPollState,
  openBatch,
  passOver,
  readReports,
  type NumberedReport,
  type ReportRow,
} from './queries.ts'
import { seekTime } from './seek.ts'

export const maxBatchSize = 1000
export const pollingLifetimeMs = 3 * 86_400_000
const noEnd = Number.MAX_SAFE_INTEGER

export interface ReportBatch {
  /** Empty when there is nothing to deliver. */
  readonly reportId: string
  readonly rows: readonly ReportRow[]
}

export function pollReports(database: Database, accountId: number, now: Date): Promise<ReportBatch> {
  return inTransaction(database, (transaction) => pollWithin(transaction, accountId, now))
}

/** In the caller's transaction: the account's polling state stays locked until that ends. */
export async function pollWithin(
  transaction: Queryable,
  accountId: number,
  now: Date,
  limit = maxBatchSize,
): Promise<ReportBatch> {
  const oldest = new Date(now.getTime() - pollingLifetimeMs)
  const state = await lockPollState(transaction, accountId)
  let ackedSeq = state.ackedSeq
  if (state.batchId !== null && state.batchLastSeq !== null) {
    const again = await readReports(transaction, accountId, ackedSeq, state.batchLastSeq, limit)
    const young = again.filter((row) => row.createdAt > oldest)
    if (young.length > 0) return { reportId: state.batchId, rows: young }
    // The whole batch expired while it was held.
    await acknowledgeBatch(transaction, accountId, state.batchId)
    ackedSeq = state.batchLastSeq
  }
  const next = await readNext(transaction, accountId, ackedSeq, oldest, limit)
  const last = next.rows.at(-1)
  if (last === undefined) {
    if (next.ackedSeq !== ackedSeq) await passOver(transaction, accountId, next.ackedSeq)
    return { reportId: '', rows: [] }
  }
  const reportId = timeDigits(now) + randomLetters(11)
  await openBatch(transaction, accountId, next.ackedSeq, reportId, last.seq, now)
  return { reportId, rows: next.rows }
}

interface NextReports {
  /** Everything up to here is acknowledged or too old. */
  readonly ackedSeq: number
  readonly rows: readonly NumberedReport[]
}

async function readNext(
  transaction: Queryable,
  accountId: number,
  afterSeq: number,
  oldest: Date,
  limit: number,
): Promise<NextReports> {
  let ackedSeq = afterSeq
  let sought = false
  for (;;) {
    const rows = await readReports(transaction, accountId, ackedSeq, noEnd, limit)
    const young = rows.filter((row) => row.createdAt > oldest)
    if (young.length > 0 || rows.length === 0) return { ackedSeq, rows: young }
    ackedSeq = rows.at(-1)!.seq
    // A page of expired reports: millions more may follow, so they are skipped by number.
    if (!sought) ackedSeq = await seekTime(transaction, accountId, ackedSeq, oldest)
    sought = true
  }
}

export function isReportId(candidate: string): boolean {
  return /^\d{17}[0-9A-Z]{11}$/.test(candidate)
}
