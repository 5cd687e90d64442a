/** SQL of the reports tables; their only writer. */
import { columns, queryBulk } from '../../platform/bulk.ts'
import { clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database.ts'
import { dayOf } from '../partitions.ts'

export interface NewReport {
  readonly msgKey: string
  readonly step: number
  readonly accountId: number
  readonly serviceType: string
  readonly msgType: string
  readonly sentAt: Date
  readonly reportedAt: Date
  readonly reportCode: string
  readonly reportText: string
  readonly carrier: string
  readonly parts: number
  readonly ref: string | null
  /** Whether the recipient of a basic brand message was a friend of the channel, when the carrier says so. */
  readonly userType?: 'F' | 'N' | null
}

/** The columns that a client reads. */
export type ReportRow = Omit<NewReport, 'accountId'>

/** The columns of `ReportRow` and the time of writing, of a table `reports r`. */
export const reportColumns = `r.msg_key as "msgKey", r.step, r.service_type as "serviceType", r.msg_type as "msgType",
  r.sent_at as "sentAt", r.reported_at as "reportedAt", r.report_code as "reportCode", r.report_text as "reportText",
  r.carrier, r.parts, r.ref, r.user_type as "userType", r.created_at as "createdAt"`

/**
 * Writes reports and gives each its number in its account's order. The rows of report_sequences are locked in account
 * order (no deadlock) until the caller commits, so that numbers become visible in order.
 */
export async function insertReports(transaction: Queryable, reports: readonly NewReport[]): Promise<void> {
  const counts = new Map<number, number>()
  for (const report of reports) counts.set(report.accountId, (counts.get(report.accountId) ?? 0) + 1)
  const accounts = [...counts.keys()].sort((left, right) => left - right)
  const sequences = await queryBulk<{ account_id: number; last_seq: number }>(transaction, {
    name: 'advance-report-sequences',
    text: `insert into report_sequences as s (account_id, last_seq)
           select account_id, n from unnest($1::int[], $2::bigint[]) as c (account_id, n) order by account_id
           on conflict (account_id) do update set last_seq = s.last_seq + excluded.last_seq
           returning account_id, last_seq`,
    columns: columns(accounts, (account) => [account, counts.get(account)]),
  })
  const next = new Map(
    sequences.map((row) => [row.account_id, row.last_seq - counts.get(row.account_id)! + 1]),
  )
  const takeSeq = (accountId: number): number => {
    const seq = next.get(accountId)!
    next.set(accountId, seq + 1)
    return seq
  }
  await queryBulk(transaction, {
    name: 'insert-reports',
    text: `insert into reports (msg_key, step, account_id, seq, service_type, msg_type, sent_at, reported_at,
                                report_code, report_text, carrier, parts, ref, user_type)
           select * from unnest($1::text[], $2::smallint[], $3::int[], $4::bigint[], $5::text[], $6::text[],
             $7::timestamptz[], $8::timestamptz[], $9::text[], $10::text[], $11::text[], $12::smallint[], $13::text[],
             $14::text[])`,
    columns: columns(reports, (report) => [
      report.msgKey,
      report.step,
      report.accountId,
      takeSeq(report.accountId),
      report.serviceType,
      report.msgType,
      report.sentAt,
      report.reportedAt,
      report.reportCode,
      report.reportText,
      report.carrier,
      report.parts,
      report.ref,
      report.userType,
    ]),
  })
}

export interface PollState {
  readonly ackedSeq: number
  readonly batchId: string | null
  readonly batchLastSeq: number | null
  /** The last number given to a report of the account. */
  readonly lastSeq: number
}

/** All reports up to `lastSeq` are visible to later statements. */
export async function readPollState(database: Queryable, accountId: number): Promise<PollState> {
  const { rows } = await database.query<PollState>({
    name: 'read-poll-state',
    text: `select coalesce(p.acked_seq, 0) as "ackedSeq", p.batch_id as "batchId", p.batch_last_seq as "batchLastSeq",
                  s.last_seq as "lastSeq"
             from report_sequences s left join report_polls p on p.account_id = s.account_id where s.account_id = $1`,
    values: [accountId],
  })
  return rows[0] ?? { ackedSeq: 0, batchId: null, batchLastSeq: null, lastSeq: 0 }
}

/** A report in its account's order. */
export interface NumberedReport extends ReportRow {
  readonly seq: number
  readonly createdAt: Date
}

/** A range of msgKeys, hence of partitions. */
export interface KeyRange {
  readonly fromKey: string
  readonly beforeKey: string
}

export const allKeys: KeyRange = { fromKey: '', beforeKey: '~' }

/** Returns the keys of nearly all reports of the last three days. Other reports are of messages that ended late or were cancelled early. */
export function recentKeys(): KeyRange {
  const now = clock.date()
  return { fromKey: dayOf(now, -3), beforeKey: dayOf(now, 2) }
}

/** Reports whether `rows` are the `count` reports after `afterSeq`. Numbers have no gaps, so no other partition holds one in between. */
export function hasNoGap(
  rows: readonly { readonly seq: number }[],
  afterSeq: number,
  count: number,
): boolean {
  return rows.length === count && rows.at(-1)?.seq === afterSeq + count
}

/**
 * The next reports of the account, of any age. `upToSeq` is at most the last number given, which is the default. The partitions of
 * recent days are read first, and all of them only if a number is missing there.
 */
export async function readReports(
  database: Queryable,
  accountId: number,
  afterSeq: number,
  limit: number,
  upToSeq?: number,
): Promise<NumberedReport[]> {
  const lastSeq = upToSeq ?? (await lastSeqOf(database, accountId))
  if (lastSeq <= afterSeq) return []
  const read = async ({ fromKey, beforeKey }: KeyRange): Promise<NumberedReport[]> => {
    const { rows } = await database.query<NumberedReport>({
      name: 'read-reports',
      text: `select ${reportColumns}, seq from reports r
              where account_id = $1 and seq > $2 and seq <= $3 and msg_key >= $5 and msg_key < $6 order by seq limit $4`,
      values: [accountId, afterSeq, lastSeq, limit, fromKey, beforeKey],
    })
    return rows
  }
  const recent = await read(recentKeys())
  return hasNoGap(recent, afterSeq, Math.min(limit, lastSeq - afterSeq)) ? recent : read(allKeys)
}

/** The last number given to a report of the account; 0 when it has none. */
export async function lastSeqOf(database: Queryable, accountId: number): Promise<number> {
  const result = await database.query<{ last_seq: number }>({
    name: 'last-report-seq',
    text: 'select last_seq from report_sequences where account_id = $1',
    values: [accountId],
  })
  return result.rows[0]?.last_seq ?? 0
}

/** Number and time of the first report from `seq` on and below `before`. */
export async function probeReport(
  database: Queryable,
  accountId: number,
  seq: number,
  before: number,
): Promise<{ readonly seq: number; readonly createdAt: Date } | null> {
  const result = await database.query<{ seq: number; createdAt: Date }>({
    name: 'probe-report',
    text: `select seq, created_at as "createdAt" from reports
            where account_id = $1 and seq >= $2 and seq < $3 order by seq limit 1`,
    values: [accountId, seq, before],
  })
  return result.rows[0] ?? null
}

export interface OpenedBatch {
  readonly id: string
  readonly lastSeq: number
  readonly openedAt: Date
}

/**
 * Moves the position to `ackedSeq` and opens a batch after it, if there is one. Returns false if another request has changed the
 * state since it was read.
 */
export async function savePollState(
  database: Queryable,
  accountId: number,
  state: PollState,
  ackedSeq: number,
  batch: OpenedBatch | null,
): Promise<boolean> {
  const { rowCount } = await database.query({
    name: 'open-batch',
    text: `insert into report_polls as p (account_id, acked_seq, batch_id, batch_last_seq, batch_at)
           values ($1, $2, $3, $4, $5)
           on conflict (account_id) do update set acked_seq = excluded.acked_seq, batch_id = excluded.batch_id,
             batch_last_seq = excluded.batch_last_seq, batch_at = excluded.batch_at
             where p.acked_seq = $6 and p.batch_id is not distinct from $7`,
    values: [accountId, ackedSeq, batch?.id, batch?.lastSeq, batch?.openedAt, state.ackedSeq, state.batchId],
  })
  return rowCount === 1
}

/** Constant time whatever the batch's size. False when the account holds no such batch. */
export async function acknowledgeBatch(
  database: Queryable,
  accountId: number,
  batchId: string,
): Promise<boolean> {
  const result = await database.query({
    name: 'acknowledge-batch',
    text: `update report_polls set acked_seq = batch_last_seq, batch_id = null, batch_last_seq = null, batch_at = null
            where account_id = $1 and batch_id = $2`,
    values: [accountId, batchId],
  })
  return result.rowCount === 1
}

export async function findReports(
  database: Queryable,
  accountId: number,
  msgKey: string,
  createdAfter: Date,
): Promise<ReportRow[]> {
  const result = await database.query<ReportRow>({
    name: 'find-reports',
    // `+ 0` keeps the planner from also using the index by account, which may have a million entries.
    text: `select ${reportColumns} from reports r where msg_key = $1 and account_id + 0 = $2 and created_at > $3 order by step`,
    values: [msgKey, accountId, createdAfter],
  })
  return result.rows
}
