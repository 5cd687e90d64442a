/** The reports of messages as a feed, and inquiries. The only writer of reports and report_sequences. */
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import { clock } from '../../platform/time/clock.ts'
import { sendWithCommit, type Queryable } from '../../platform/database/database.ts'
import { toPages, type Feed, type FeedPage, type FeedRequest } from '../feed/feed.ts'
import { toKeyDay } from '../partitions.ts'

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
  /**
   * Whether the recipient of a basic brand message was a friend of the channel, if the carrier reports it.
   */
  readonly userType?: 'F' | 'N' | null
}

/** The columns that clients read. */
export type ReportRow = Omit<NewReport, 'accountId'>

/** The columns of `ReportRow` and the time of writing, selected from a table `reports r`. */
export const reportColumns = `r.msg_key as "msgKey", r.step, r.service_type as "serviceType", r.msg_type as "msgType",
  r.sent_at as "sentAt", r.reported_at as "reportedAt", r.report_code as "reportCode", r.report_text as "reportText",
  r.carrier, r.parts, r.ref, r.user_type as "userType", r.created_at as "createdAt"`

/**
 * Writes reports and assigns each its number in its account's order. The rows of report_sequences are locked
 * in account order (no deadlock) until the caller commits, so that numbers become visible in order: call it last.
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
  const inserting = queryBulk(transaction, {
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
  await sendWithCommit(transaction, inserting)
}

export interface NumberedReport extends ReportRow {
  readonly seq: number
  readonly createdAt: Date
}

/** Milliseconds for which polling returns a report. */
export const pollingLifetimeMs = 3 * 86_400_000

export const reportFeed: Feed<NumberedReport> = {
  name: 'report',
  table: 'reports',
  numberedAt: 'created_at',
  pollingLifetimeMs,
  cursorMark: '1',
  readPages,
}

/**
 * Reads the partitions of recent days first. Other partitions only have reports of messages that ended late
 * or were cancelled early. Numbers have no gaps, so a page that misses one is read again from all partitions.
 */
async function readPages(
  database: Queryable,
  requests: readonly FeedRequest[],
  createdAfter: Date,
): Promise<FeedPage<NumberedReport>[]> {
  const now = clock.date()
  const recent = { fromKey: toKeyDay(now, -3), beforeKey: toKeyDay(now, 2) }
  const pages = await readPagesWithin(database, requests, createdAfter, recent)
  const incomplete = requests.flatMap((request, index) => (hasGap(pages[index]!, request) ? [index] : []))
  const complete = await readPagesWithin(
    database,
    incomplete.map((index) => requests[index]!),
    createdAfter,
    { fromKey: '', beforeKey: '~' },
  )
  for (const [position, index] of incomplete.entries()) pages[index] = complete[position]!
  return pages.map((rows) => ({ rows, isCut: false }))
}

function hasGap(rows: readonly NumberedReport[], { afterSeq, upToSeq, limit }: FeedRequest): boolean {
  const count = Math.min(limit, upToSeq - afterSeq)
  return rows.length !== count || rows.at(-1)?.seq !== afterSeq + count
}

async function readPagesWithin(
  database: Queryable,
  requests: readonly FeedRequest[],
  createdAfter: Date,
  { fromKey, beforeKey }: { readonly fromKey: string; readonly beforeKey: string },
): Promise<NumberedReport[][]> {
  const rows = await queryBulk<NumberedReport & { readonly request: number }>(database, {
    name: 'read-reports',
    text: `select q.request, r.seq, ${reportColumns}
             from unnest($1::int[], $2::int[], $3::bigint[], $4::bigint[], $5::int[])
               as q (request, account_id, after_seq, up_to_seq, n)
            cross join lateral (select * from reports p
                                 where p.account_id = q.account_id and p.seq > q.after_seq and p.seq <= q.up_to_seq
                                   and p.created_at > $6 and p.msg_key >= $7 and p.msg_key < $8
                                 order by p.seq limit q.n) as r`,
    columns: columns(requests, ({ accountId, afterSeq, upToSeq, limit }, index) => [
      index,
      accountId,
      afterSeq,
      upToSeq,
      limit,
    ]),
    values: [createdAfter, fromKey, beforeKey],
  })
  return toPages(rows, requests.length)
}

export async function findMessageReports(
  database: Queryable,
  accountId: number,
  msgKey: string,
  createdAfter: Date,
): Promise<ReportRow[]> {
  const result = await database.query<ReportRow>({
    name: 'find-reports',
    // `+ 0` keeps the planner from also using the index by account, which can have a million entries.
    text: `select ${reportColumns} from reports r where msg_key = $1 and account_id + 0 = $2 and created_at > $3 order by step`,
    values: [msgKey, accountId, createdAfter],
  })
  return result.rows
}

/** Returns the last report of each of these messages that has closed. */
export async function findLastReports(
  database: Queryable,
  msgKeys: readonly string[],
): Promise<ReadonlyMap<string, ReportRow>> {
  const rows = await queryBulk<ReportRow>(database, {
    name: 'find-last-reports',
    text: `select distinct on (r.msg_key) ${reportColumns}
             from unnest($1::text[]) as k (msg_key) join reports r on r.msg_key = any (array[k.msg_key])
            order by r.msg_key, r.step desc`,
    columns: columns(msgKeys, (key) => [key]),
  })
  return new Map(rows.map((row) => [row.msgKey, row]))
}
