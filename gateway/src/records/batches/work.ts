/**
 * The batch and the page that a worker processes next. A worker holds the lock on the row of the batch while it does
 * the work.
 */
import type { Queryable } from '../../platform/database/database.ts'
import type { StoredContent, StoredLines } from './lines.ts'

/** The `nextPart` of a batch whose check has not begun. Parts are numbered from 1. */
export const beforeCheck = 0

/** A batch that is checked or turned into messages. */
export interface BatchWork extends StoredContent {
  readonly id: number
  readonly batchKey: string
  readonly accountId: number
  readonly ref: string | null
  readonly state: 'checking' | 'running'
  /** Whether the batch starts once it is checked. */
  readonly starts: boolean
  readonly startAt: Date | null
  readonly endBy: Date | null
  /** Times of day such as `09:00:00`. */
  readonly hoursFrom: string | null
  readonly hoursTo: string | null
  readonly speed: number | null
  readonly dropDuplicates: boolean
  readonly nextPart: number
  readonly nextPage: number
  /** When its check began or, for a running batch, when it was started. */
  readonly since: Date | null
}

/** No worker lets a batch rest for longer. */
export const maxRestMs = 60_000

/**
 * SQL condition: a worker can process the batch now. A batch whose time is further ahead than any rest and any start was
 * deferred before the clock of PostgreSQL was put back: it is due as well.
 */
const isDueSql = `state in ('checking', 'running')
        and (next_at <= now() or next_at > greatest(now(), start_at) + interval '${2 * maxRestMs} milliseconds')`

const msUntilDueSql = (state: BatchWork['state']): string =>
  `case when exists (select from batches where ${isDueSql} and state = '${state}') then 0
        else (select (extract(epoch from min(next_at) - now()) * 1000)::float8 from batches where state = '${state}') end`

/** Returns the milliseconds until a batch in each state is due, at least 0, or null if none is in this state. */
export async function readMsUntilDue(
  database: Queryable,
): Promise<Readonly<Record<BatchWork['state'], number | null>>> {
  const { rows } = await database.query<Record<BatchWork['state'], number | null>>({
    name: 'read-next-batch',
    text: `select ${msUntilDueSql('checking')} as checking, ${msUntilDueSql('running')} as running`,
  })
  return rows[0]!
}

/**
 * Locks a batch that is due, and skips those that other workers hold: of the account that this worker has served
 * longest ago, the one that has been due for the longest time. `served` lists accounts, longest ago first. Returns null
 * if none is due.
 */
export async function claimBatchWork(
  transaction: Queryable,
  state: BatchWork['state'],
  served: readonly number[] = [],
): Promise<BatchWork | null> {
  const { rows } = await transaction.query<BatchWork>(
    `select id, batch_key as "batchKey", account_id as "accountId", ref, content, sealed, state, starts, start_at as "startAt",
            end_by as "endBy", hours_from as "hoursFrom", hours_to as "hoursTo", speed, drop_duplicates as "dropDuplicates",
            next_part as "nextPart", next_page as "nextPage", case state when 'running' then started_at else changed_at end as since
       from batches where ${isDueSql} and state = $1
      order by array_position($2::int[], account_id) nulls first, next_at limit 1 for update skip locked`,
    [state, served],
  )
  return rows[0] ?? null
}

export interface BatchPage extends StoredLines {
  readonly part: number
  readonly page: number
  readonly lines: number
  /** The result code of each line that gets no message, by its index. */
  readonly codes: Readonly<Record<string, string>>
  /** One entry per line that was fed: its msgKey, or an empty string if it has no message. */
  readonly msgKeys: readonly string[]
}

/** Reads the first page at or after the position of the batch, or null at the end. */
export async function readNextPage(
  transaction: Queryable,
  { id, nextPart, nextPage }: Pick<BatchWork, 'id' | 'nextPart' | 'nextPage'>,
): Promise<BatchPage | null> {
  const { rows } = await transaction.query<BatchPage>(
    `select part, page, lines, content, is_sealed as "isSealed", codes, msg_keys as "msgKeys"
       from batch_pages where batch_id = $1 and (part, page) >= ($2, $3) order by part, page limit 1`,
    [id, nextPart, nextPage],
  )
  return rows[0] ?? null
}

/** Stores why lines of a checked page are refused, by their index, and moves the position to the next page. */
export async function recordChecked(
  transaction: Queryable,
  batchId: number,
  { part, page }: Pick<BatchPage, 'part' | 'page'>,
  refused: Readonly<Record<string, string>>,
): Promise<void> {
  await transaction.query(
    `update batch_pages set codes = codes || $4::jsonb where batch_id = $1 and part = $2 and page = $3`,
    [batchId, part, page, refused],
  )
  const codes = Object.values(refused)
  await transaction.query(
    `update batches b set refused = refused + cardinality($2::text[]), codes = codes || ${addedCodesSql('$2')},
            next_part = $3, next_page = $4, next_at = now()
      where id = $1`,
    [batchId, codes, part, page + 1],
  )
}

/** Builds SQL: the counts of `batches b` for the result codes in a text array, each increased by its occurrences. */
export const addedCodesSql = (codes: string): string =>
  `(select coalesce(jsonb_object_agg(code, n + coalesce((b.codes ->> code)::int, 0)), '{}')
      from (select code, count(*) as n from unnest(${codes}::text[]) as code group by code) added)`

/**
 * Begins a check. With `dropDuplicates`, marks every line whose recipient an earlier line has; the first line in the order of
 * parts stays. Lines have no results yet: another upload removes those of an earlier check.
 */
export async function markDuplicates(
  transaction: Queryable,
  { id, dropDuplicates }: Pick<BatchWork, 'id' | 'dropDuplicates'>,
): Promise<void> {
  await transaction.query(
    `with line as (
       select part, page, nth, row_number() over (partition by hash order by part, page, nth) as occurrence
         from batch_pages cross join lateral unnest(hashes) with ordinality as h (hash, nth)
        where batch_id = $1 and $2),
     repeated as (
       select part, page, jsonb_object_agg(nth - 1, 'duplicate') as codes, count(*) as lines
         from line where occurrence > 1 group by part, page),
     marked as (
       update batch_pages p set codes = r.codes from repeated r
        where p.batch_id = $1 and p.part = r.part and p.page = r.page returning r.lines)
     update batches set duplicates = (select coalesce(sum(lines), 0) from marked),
                        next_part = 1, next_page = 0, next_at = now()
      where id = $1`,
    [id, dropDuplicates],
  )
}
