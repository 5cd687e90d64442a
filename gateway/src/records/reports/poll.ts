/**
 * Polling: the oldest unacknowledged reports, at most 1000, the same batch again until it is deleted. Two pollers of one
 * account get the same batch. A poll writes only when it opens a batch or skips expired reports, and only if no other request has changed
 * the state since. Expired reports are skipped by number, neither read nor deleted here: they serve inquiries until the partition of
 * their day is dropped.
 */
import { clock, type Clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database.ts'
import { randomLetters, timeDigits } from '../../contract/msg-key.ts'
import { savePollState, readPollState, readReports, type NumberedReport, type ReportRow } from './queries.ts'
import { seekTime } from './seek.ts'

export const maxBatchSize = 1000
export const pollingLifetimeMs = 3 * 86_400_000

export interface ReportBatch {
  /** Empty when there is nothing to deliver. */
  readonly reportId: string
  readonly rows: readonly ReportRow[]
}

export async function pollReports(
  database: Queryable,
  accountId: number,
  limit = maxBatchSize,
  time: Pick<Clock, 'date' | 'cutoff'> = clock,
): Promise<ReportBatch> {
  const now = time.date()
  const oldest = time.cutoff(pollingLifetimeMs)
  for (;;) {
    const state = await readPollState(database, accountId)
    const { ackedSeq, batchId, batchLastSeq, lastSeq } = state
    if (batchId === null && lastSeq <= ackedSeq) return { reportId: '', rows: [] }
    if (batchId !== null && batchLastSeq !== null) {
      const again = await readReports(database, accountId, ackedSeq, limit, batchLastSeq)
      const young = again.filter((row) => row.createdAt > oldest)
      if (young.length > 0) return { reportId: batchId, rows: young }
    }
    // A batch that expired as a whole while it was held is skipped.
    const next = await readNext(database, accountId, batchLastSeq ?? ackedSeq, lastSeq, oldest, limit)
    const last = next.rows.at(-1)
    const batch =
      last === undefined
        ? null
        : { id: timeDigits(now) + randomLetters(11), lastSeq: last.seq, openedAt: now }
    if (await savePollState(database, accountId, state, next.ackedSeq, batch))
      return { reportId: batch?.id ?? '', rows: next.rows }
  }
}

interface NextReports {
  /** Everything up to here is acknowledged or too old. */
  readonly ackedSeq: number
  readonly rows: readonly NumberedReport[]
}

async function readNext(
  database: Queryable,
  accountId: number,
  afterSeq: number,
  lastSeq: number,
  oldest: Date,
  limit: number,
): Promise<NextReports> {
  let ackedSeq = afterSeq
  let sought = false
  for (;;) {
    const rows = await readReports(database, accountId, ackedSeq, limit, lastSeq)
    if (rows.length === 0) return { ackedSeq: lastSeq, rows }
    const young = rows.filter((row) => row.createdAt > oldest)
    if (young.length > 0) return { ackedSeq, rows: young }
    ackedSeq = rows.at(-1)!.seq
    // A page of expired reports: millions more may follow, so they are skipped by number.
    if (!sought) ackedSeq = await seekTime(database, accountId, ackedSeq, oldest)
    sought = true
  }
}

export function isReportId(candidate: string): boolean {
  return /^\d{17}[0-9A-Z]{11}$/.test(candidate)
}
