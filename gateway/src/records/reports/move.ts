/**
 * Copies the reports of an account and the positions of its readers to another cell. Reports written before the account
 * moves keep their numbers, so positions and cursors stay valid; those that the old cell writes later are forwarded and
 * get the next numbers of the new cell. Called by `postern account move`.
 */
import { selectMovedRows } from '../../accounts/moved-rows.ts'
import type { Queryable } from '../../platform/database.ts'
import { insertReports, type NewReport } from './queries.ts'

/** A report as it is stored, to be written in another database. */
export interface StoredReport {
  readonly msgKey: string
  readonly seq: number
  /** All columns, as JSON. */
  readonly row: string
}

export async function readStored(
  database: Queryable,
  accountId: number,
  afterSeq: number,
  limit: number,
): Promise<StoredReport[]> {
  const result = await database.query<StoredReport>(
    `select msg_key as "msgKey", seq, to_json(r)::text as row from reports r
      where account_id = $1 and seq > $2 order by seq limit $3`,
    [accountId, afterSeq, limit],
  )
  return result.rows
}

/** With the number it has. One that is stored already (the account has been in this cell before) gets that number. */
export async function importReports(
  transaction: Queryable,
  accountId: number,
  reports: readonly StoredReport[],
): Promise<void> {
  await transaction.query(
    `insert into reports
     ${selectMovedRows('reports')}
     on conflict (msg_key, step) do update set seq = excluded.seq, created_at = excluded.created_at`,
    [reports.map(({ row }) => row), accountId],
  )
}

export async function readNew(
  database: Queryable,
  accountId: number,
  afterSeq: number,
  limit: number,
): Promise<(NewReport & { readonly seq: number })[]> {
  const result = await database.query<NewReport & { seq: number }>(
    `select msg_key as "msgKey", step, account_id as "accountId", seq, service_type as "serviceType",
            msg_type as "msgType", sent_at as "sentAt", reported_at as "reportedAt", report_code as "reportCode",
            report_text as "reportText", carrier, parts, ref, user_type as "userType"
       from reports where account_id = $1 and seq > $2 order by seq limit $3`,
    [accountId, afterSeq, limit],
  )
  return result.rows
}

/** With the next numbers of this cell; those that it has already stay as they are. How many are new. */
export async function forwardReports(
  transaction: Queryable,
  accountId: number,
  reports: readonly NewReport[],
): Promise<number> {
  const result = await transaction.query<{ msgKey: string; step: number }>(
    `select msg_key as "msgKey", step from reports
      where (msg_key, step) in (select * from unnest($1::text[], $2::smallint[]))`,
    [reports.map(({ msgKey }) => msgKey), reports.map(({ step }) => step)],
  )
  const stored = new Set(result.rows.map(({ msgKey, step }) => `${msgKey}/${step}`))
  const fresh = reports.filter(({ msgKey, step }) => !stored.has(`${msgKey}/${step}`))
  if (fresh.length > 0)
    await insertReports(
      transaction,
      fresh.map((report) => ({ ...report, accountId })),
    )
  return fresh.length
}

/** The last number given to a report, and the positions of polling and of all consumers as JSON. */
export interface ReaderPositions {
  readonly lastSeq: number
  readonly poll: string | null
  readonly consumers: readonly string[]
}

export async function readPositions(database: Queryable, accountId: number): Promise<ReaderPositions> {
  const poll = await database.query<{ row: string }>(
    'select to_json(p)::text as row from report_polls p where account_id = $1',
    [accountId],
  )
  const consumers = await database.query<{ row: string }>(
    'select to_json(c)::text as row from report_consumers c where account_id = $1',
    [accountId],
  )
  // After the positions: none of them is above it.
  const sequence = await database.query<{ lastSeq: number }>(
    'select last_seq as "lastSeq" from report_sequences where account_id = $1',
    [accountId],
  )
  return {
    lastSeq: sequence.rows[0]?.lastSeq ?? 0,
    poll: poll.rows[0]?.row ?? null,
    consumers: consumers.rows.map(({ row }) => row),
  }
}

/**
 * Before the new cell serves the account: its positions become those of the old cell. The next number is above all that
 * either cell has given, also to reports that are deleted by now: a reader that is past them would miss a lower one.
 */
export async function importPositions(
  transaction: Queryable,
  accountId: number,
  { lastSeq, poll, consumers }: ReaderPositions,
  lastCopied: number,
): Promise<void> {
  await transaction.query(
    `insert into report_sequences as s (account_id, last_seq) values ($1, $2)
     on conflict (account_id) do update set last_seq = greatest(s.last_seq, excluded.last_seq)`,
    [accountId, Math.max(lastSeq, lastCopied)],
  )
  await transaction.query('delete from report_polls where account_id = $1', [accountId])
  await transaction.query(
    `insert into report_polls
     ${selectMovedRows('report_polls')}`,
    [poll === null ? [] : [poll], accountId],
  )
  await transaction.query('delete from report_consumers where account_id = $1', [accountId])
  await transaction.query(
    `insert into report_consumers
     ${selectMovedRows('report_consumers')}`,
    [consumers, accountId],
  )
}

/**
 * Afterwards: a process of the old cell that followed late may have acknowledged more. Up to `lastCopied` both cells
 * number alike, and a position only moves forward.
 */
export async function mergePositions(
  transaction: Queryable,
  accountId: number,
  { poll, consumers }: ReaderPositions,
  lastCopied: number,
): Promise<void> {
  await transaction.query(
    `update report_polls p
        set acked_seq = o.acked_seq,
            batch_id = case when p.batch_last_seq > o.acked_seq then p.batch_id end,
            batch_last_seq = case when p.batch_last_seq > o.acked_seq then p.batch_last_seq end,
            batch_at = case when p.batch_last_seq > o.acked_seq then p.batch_at end
       from unnest($1::text[]) as row, json_populate_record(null::report_polls, row::json) as o
      where p.account_id = $2 and o.acked_seq > p.acked_seq and o.acked_seq <= $3`,
    [poll === null ? [] : [poll], accountId, lastCopied],
  )
  await transaction.query(
    `update report_consumers c set acked_seq = o.acked_seq, updated_at = now()
       from unnest($1::text[]) as row, json_populate_record(null::report_consumers, row::json) as o
      where c.account_id = $2 and c.name = o.name and o.acked_seq > c.acked_seq and o.acked_seq <= $3`,
    [consumers, accountId, lastCopied],
  )
}
