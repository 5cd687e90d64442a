/** How far an account is behind in fetching its reports: by polling, and by each consumer of the report stream. */
import type { Queryable } from '../../platform/database.ts'
import { lastSeqOf, probeReport } from './queries.ts'

export interface ReportLag {
  /** Reports that are not acknowledged. */
  readonly behind: number
  /** When the oldest of them was made; null when there is none. */
  readonly oldestAt: Date | null
}

export interface PollLag extends ReportLag {
  /** Since when a batch is fetched and not acknowledged; null: none is. */
  readonly batchAt: Date | null
}

export interface ConsumerLag extends ReportLag {
  readonly name: string
  readonly acknowledgedAt: Date
}

/** Null when the account has never polled. */
export async function readPollLag(database: Queryable, accountId: number): Promise<PollLag | null> {
  const result = await database.query<{ ackedSeq: number; batchAt: Date | null }>(
    'select acked_seq as "ackedSeq", batch_at as "batchAt" from report_polls where account_id = $1',
    [accountId],
  )
  const [row] = result.rows
  return row === undefined
    ? null
    : { ...(await lagAfter(database, accountId, row.ackedSeq)), batchAt: row.batchAt }
}

export async function readConsumerLags(database: Queryable, accountId: number): Promise<ConsumerLag[]> {
  const result = await database.query<{ name: string; ackedSeq: number; acknowledgedAt: Date }>(
    `select name, acked_seq as "ackedSeq", updated_at as "acknowledgedAt" from report_consumers
      where account_id = $1 order by name`,
    [accountId],
  )
  const lags: ConsumerLag[] = []
  for (const { name, ackedSeq, acknowledgedAt } of result.rows)
    lags.push({ name, acknowledgedAt, ...(await lagAfter(database, accountId, ackedSeq)) })
  return lags
}

async function lagAfter(database: Queryable, accountId: number, seq: number): Promise<ReportLag> {
  const last = await lastSeqOf(database, accountId)
  if (last <= seq) return { behind: 0, oldestAt: null }
  const oldest = await probeReport(database, accountId, seq + 1, last + 1)
  return { behind: last - seq, oldestAt: oldest?.createdAt ?? null }
}
