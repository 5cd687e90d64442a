/**
 * Reads the newest submissions to carriers, for operators: how many of each route fail, which, and how many
 * receipts are missing. No index covers a route, so a limited number of rows is read in key order.
 */
import { timeDigits } from '../../contract/msg-key.ts'
import { possibleShareIds } from '../../jobs/route-share.ts'
import { readContents, type SealedRow } from '../../jobs/sealed.ts'
import type { Queryable } from '../../platform/database/database.ts'

export interface RecentCount {
  readonly shareId: string
  readonly sent: number
  readonly failed: number
}

/** SQL condition: the part was refused or reported as failed. */
const hasFailed = `(outcome = 'refused' or result is not distinct from 'failed')`

/** A range of message keys, which start with their time. */
export interface KeyRange {
  readonly fromKey: string
  readonly beforeKey: string
}

/**
 * Builds an SQL condition that excludes refusals by the gateway's own rules, whose codes are passed: such a
 * part was never submitted.
 */
const wasSubmitted = (codes: string): string =>
  `(outcome <> 'refused' or coalesce(outcome_code, '') <> all (${codes}::text[]))`

/**
 * Counts the newest `max` submissions by share. The first part stands for a message of several parts. `ownCodes` are the
 * codes of the gateway's own rules.
 */
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
  /** The carrier's code in its receipt, or else in its response. */
  readonly carrierCode: string | null
  /** The report code of the step; `null` if there is no report yet or it belongs to a later try. */
  readonly code: string | null
  readonly codeText: string | null
}

export interface RecentPiece {
  readonly attempts: readonly RecentAttempt[]
  /** The key before which the next piece ends; `null` if nothing is left. */
  readonly next: string | null
}

export interface PieceBounds extends KeyRange {
  /** The maximum number of rows to read. */
  readonly scan: number
  /** The maximum number of rows of the shares to read. */
  readonly limit: number
  readonly ownCodes: readonly string[]
}

type Row = RecentAttempt & SealedRow & { readonly step: number }

/** Returns the last attempt of each step on the given shares, newest first. */
export async function readRecentAttempts(
  database: Queryable,
  shareIds: readonly string[],
  { fromKey, beforeKey, scan, limit, ownCodes }: PieceBounds,
): Promise<RecentPiece> {
  const { rows: counted } = await database.query<{ scanned: number; lowest: string | null }>(
    `select count(*) as scanned, min(msg_key) as lowest
       from (select msg_key from attempts where msg_key >= $1 and msg_key < $2 order by msg_key desc limit $3) s`,
    [fromKey, beforeKey, scan],
  )
  const { scanned, lowest } = counted[0]!
  if (lowest === null) return { attempts: [], next: null }
  const { rows } = await database.query<Row>(
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
  const lasts = rows.filter(
    ({ msgKey, step }, nth) => rows[nth - 1]?.msgKey !== msgKey || rows[nth - 1]?.step !== step,
  )
  const contents = await readContents(lasts)
  return {
    attempts: lasts.map(({ msgKey, recipient, result, carrierCode, code, codeText }) => ({
      msgKey,
      result,
      carrierCode,
      code,
      codeText,
      recipient: contents.get(msgKey)?.to ?? recipient,
    })),
    // A full page can end before the lowest scanned key.
    next: rows.length === limit ? rows.at(-1)!.msgKey : scanned < scan ? null : lowest,
  }
}

/** Maximum number of open messages to read, newest first. */
const maxOpenRead = 20_000

export interface PendingReceipts {
  readonly count: number
  /** Whether there are more open messages than were read. */
  readonly more: boolean
}

/** Counts the parts of open messages that the carrier of the route may have accepted and has not reported on. */
export async function countPendingReceipts(
  database: Queryable,
  routeId: string,
  now: Date,
): Promise<PendingReceipts> {
  const result = await database.query<{ count: number; read: number }>(
    `with open as materialized (
       select msg_key, step, try, state from in_flight where msg_key < $2 order by msg_key desc limit $3)
     select (select count(*) from open o join attempts a on a.msg_key = any (array[o.msg_key]) and a.step = o.step and a.try = o.try
              where o.state = 'claimed' and a.route_id = any ($1) and a.outcome <> 'refused' and a.result is null) as count,
            (select count(*) from open) as read`,
    // A key begins with its time: messages scheduled for later were not submitted.
    [possibleShareIds(routeId), timeDigits(new Date(now.getTime() + 60_000)), maxOpenRead + 1],
  )
  const { count, read } = result.rows[0]!
  return { count, more: read > maxOpenRead }
}
