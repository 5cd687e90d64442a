/** Batches with their counts, for clients and operators. Neither recipients nor texts are read. */
import type { Queryable } from '../../platform/database/database.ts'
import type { BatchState } from './transitions.ts'

export interface BatchView {
  readonly id: number
  readonly batchKey: string
  readonly clientId: string
  readonly ref: string | null
  readonly state: BatchState
  readonly startAt: Date | null
  readonly endBy: Date | null
  /** Times of day such as `09:00:00`. */
  readonly hoursFrom: string | null
  readonly hoursTo: string | null
  readonly speed: number | null
  readonly dropDuplicates: boolean
  readonly lines: number
  readonly duplicates: number
  readonly refused: number
  readonly cancelled: number
  readonly messages: number
  /** Refused lines by result code. */
  readonly codes: Readonly<Record<string, number>>
  /** Closed messages by report code. */
  readonly outcomes: Readonly<Record<string, number>>
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly endedAt: Date | null
}

export interface BatchFilter {
  readonly accountId?: number | undefined
  readonly state?: BatchState | undefined
  readonly ref?: string | undefined
  readonly batchKey?: string | undefined
  /** Only batches with a smaller `id`. */
  readonly before?: number | undefined
  readonly limit: number
}

export function countWaitingLines({ lines, duplicates, refused, cancelled, messages }: BatchView): number {
  return lines - duplicates - refused - cancelled - messages
}

/** Lists batches, newest first. */
export async function listBatchViews(
  database: Queryable,
  { accountId, state, ref, batchKey, before, limit }: BatchFilter,
): Promise<BatchView[]> {
  const values: unknown[] = [limit]
  // Include only the conditions that are set: one statement for all combinations could not use the indexes.
  const conditions = [
    [accountId, 'b.account_id ='],
    [state, 'b.state ='],
    [batchKey, 'b.batch_key ='],
    [before, 'b.id <'],
    [ref, 'b.ref ='],
  ].flatMap(([value, condition]) => (value === undefined ? [] : [`${condition} $${values.push(value)}`]))
  const { rows } = await database.query<BatchView>(
    `select b.id, b.batch_key as "batchKey", a.client_id as "clientId", b.ref, b.state, b.start_at as "startAt",
            b.end_by as "endBy", b.hours_from as "hoursFrom", b.hours_to as "hoursTo", b.speed,
            b.drop_duplicates as "dropDuplicates", b.lines, b.duplicates, b.refused, b.cancelled, b.messages, b.codes,
            coalesce(o.outcomes, '{}') as outcomes, b.created_at as "createdAt", b.started_at as "startedAt",
            b.ended_at as "endedAt"
       from batches b join accounts a on a.id = b.account_id
       left join lateral (
         select jsonb_object_agg(report_code, messages) as outcomes
           from (select report_code, sum(messages) as messages from batch_outcomes where batch_id = b.id
                  group by report_code) closed) o on true
      ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`}
      order by b.id desc limit $1`,
    values,
  )
  return rows
}

export async function findBatchView(database: Queryable, batchKey: string): Promise<BatchView | null> {
  const [found] = await listBatchViews(database, { batchKey, limit: 1 })
  return found ?? null
}

/** Maximum pages to read. A fast batch fills them in less than a minute, which is enough for a good estimate. */
const maxPages = 60

/**
 * Returns the messages per second that the batch has created in the last minute, or null if it has created
 * none. Message keys begin with their time of creation.
 */
export async function readBatchPace(database: Queryable, id: number, now: Date): Promise<number | null> {
  const { rows } = await database.query<{ created: number; seconds: number }>(
    `with latest as (
       select p.msg_keys from batch_pages p join batches b on b.id = p.batch_id
        where b.id = $1 and (p.part, p.page) <= (b.next_part, b.next_page)
        order by p.part desc, p.page desc limit ${maxPages}),
     created as (
       select to_timestamp(substr(key, 1, 14), 'YYYYMMDDHH24MISS')::timestamp at time zone 'UTC' as at
         from latest cross join unnest(msg_keys) as key
        where key >= to_char($2::timestamptz at time zone 'UTC' - interval '1 minute', 'YYYYMMDDHH24MISS'))
     select count(*) as created, extract(epoch from $2::timestamptz - min(at))::float8 as seconds from created`,
    [id, now],
  )
  const { created, seconds } = rows[0]!
  return created === 0 ? null : created / Math.max(1, seconds)
}
