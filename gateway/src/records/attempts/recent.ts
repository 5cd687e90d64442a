/**
 * The newest submissions to carriers, for whoever watches: how many of each route fail, and which. No index serves a route, so a bounded
 * number of rows is read in the order of their keys. Called by the admin API.
 */
import { readContents, type SealedRow } from '../../jobs/sealed.ts'
import type { Queryable } from '../../platform/database.ts'

export interface RecentCount {
  /** The id of a share of a route. */
  readonly shareId: string
  readonly sent: number
  readonly failed: number
}

/** What failed was refused, or reported as failed. The first part stands for a message of several. */
const hasFailed = `(outcome = 'refused' or result is not distinct from 'failed')`

/** Messages whose keys begin with these times. */
export interface KeyRange {
  readonly fromKey: string
  readonly beforeKey: string
}

/** What the gateway refused by a rule of its own is recorded like a refusal of the carrier, and was never submitted. */
const wasSubmitted = (codes: string): string =>
  `(outcome <> 'refused' or coalesce(outcome_code, '') <> all (${codes}::text[]))`

/** By share, of the newest `max` submissions. `ownCodes`: of the rules of the gateway. */
export async function countRecentAttempts(
  database: Queryable,
  { fromKey, beforeKey }: KeyRange,
  max: number,
  ownCodes: readonly string[],
): Promise<RecentCount[]> {
  const result = await database.query<RecentCount>(
    `with newest as materialized (
       select route_id, outcome, outcome_code, result from attempts
        where msg_key >= $1 and msg_key < $2 and part <= 1 order by msg_key desc limit $3)
     select route_id as "shareId", count(*) as sent, count(*) filter (where ${hasFailed}) as failed
       from newest where ${wasSubmitted('$4')} group by route_id`,
    [fromKey, beforeKey, max, ownCodes],
  )
  return result.rows
}

export interface RecentAttempt {
  readonly msgKey: string
  readonly recipient: string
  readonly result: 'failed' | 'delivered' | 'open'
  /** The carrier's code, of its answer or its receipt. */
  readonly carrierCode: string | null
  /** Of the report of its step; null while there is none, or the step was tried again: its report is that of the last try. */
  readonly code: string | null
  readonly codeText: string | null
}

export interface RecentPiece {
  readonly attempts: readonly RecentAttempt[]
  /** The key that the next piece ends before; null when nothing is left. */
  readonly next: string | null
}

export interface PieceBounds extends KeyRange {
  /** Rows that are looked at. */
  readonly scan: number
  /** Rows of the route that are returned. */
  readonly limit: number
  /** Of the rules of the gateway. */
  readonly ownCodes: readonly string[]
}

type Row = RecentAttempt & SealedRow & { readonly step: number }
interface Answer {
  readonly rows: readonly Row[]
  readonly scanned: number
  readonly last: string | null
}

/** Those of the given shares, the newest first: the last of each step. */
export async function readRecentAttempts(
  database: Queryable,
  shareIds: readonly string[],
  { fromKey, beforeKey, scan, limit, ownCodes }: PieceBounds,
): Promise<RecentPiece> {
  const { rows, scanned, last } = await readPiece()
  const lasts = rows.filter(
    ({ msgKey, step }, nth) => rows[nth - 1]?.msgKey !== msgKey || rows[nth - 1]?.step !== step,
  )
  const contents = await readContents(lasts)
  return {
    attempts: lasts.map(({ msgKey, recipient, result, carrierCode, code, codeText }) => ({
      ...{ msgKey, result, carrierCode, code, codeText },
      recipient: contents.get(msgKey)?.to ?? recipient,
    })),
    next: scanned < scan || last === null ? null : last,
  }

  async function readPiece(): Promise<Answer> {
    const looked = await database.query<{ scanned: number; last: string | null }>(
      `select count(*) as scanned, min(msg_key) as last
         from (select msg_key from attempts where msg_key >= $1 and msg_key < $2 order by msg_key desc limit $3) s`,
      [fromKey, beforeKey, scan],
    )
    const { scanned: count, last: lowest } = looked.rows[0]!
    if (lowest === null) return { rows: [], scanned: 0, last: null }
    const found = await database.query<Row>(
      `select a.msg_key as "msgKey", a.step, m.recipient, m.sealed, coalesce(a.receipt_code, a.outcome_code) as "carrierCode",
              case when ${hasFailed} then 'failed' when result = 'delivered' then 'delivered' else 'open' end as result,
              r.report_code as code, r.report_text as "codeText"
         from (select * from attempts
                where msg_key >= $1 and msg_key < $2 and route_id = any($3::text[]) and part <= 1
                  and ${wasSubmitted('$5')}
                order by msg_key desc, step desc, try desc limit $4) a
         join messages m on m.msg_key = any (array[a.msg_key])
         left join reports r on r.msg_key = any (array[a.msg_key]) and r.step = a.step
          and not exists (select from attempts b where b.msg_key = any (array[a.msg_key]) and b.step = a.step and b.try > a.try)
        order by a.msg_key desc, a.step desc, a.try desc`,
      [lowest, beforeKey, shareIds, limit, ownCodes],
    )
    return { rows: found.rows, scanned: count, last: lowest }
  }
}
