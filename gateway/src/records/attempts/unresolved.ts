/**
 * Finds submissions whose result is missing, so that their carriers can be queried. Only open steps are
 * searched, in ranges of message keys and of deadlines, so that each call reads a few seconds of the two
 * indexes of `in_flight`.
 */
import type { Step } from '../../channels/channel.ts'
import { readContents } from '../../jobs/sealed.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { AttemptRow } from './attempts.ts'
import type { KeyRange } from './recent.ts'

export interface DueRange {
  readonly from: Date
  readonly before: Date
  /** Whether this is the last search before the deadline. */
  readonly isLast: boolean
}

/** The missing half of a submission. */
export type MissingHalf = 'response' | 'receipt'

export interface UnresolvedQuery {
  readonly keys: readonly KeyRange[]
  readonly due: readonly DueRange[]
  /** The routes whose submissions are searched, by the missing half. */
  readonly routeIds: Readonly<Record<MissingHalf, readonly string[]>>
  /** The maximum number of open steps of these routes to read in each range. */
  readonly limit: number
}

export interface UnresolvedPart {
  readonly row: AttemptRow
  readonly given: Step
  readonly dueAt: Date
  readonly isLast: boolean
}

export interface FoundPart extends UnresolvedPart {
  /** Digest of the login by which the part was submitted, if it was known. */
  readonly login: string | undefined
}

interface Row extends Omit<AttemptRow, 'recipient'> {
  readonly dueAt: Date
  readonly isLast: boolean
  readonly login: string | null
  readonly to: string
  readonly flow: readonly Step[] | null
  readonly sealed: Buffer | null
}

/** SQL condition: the result of the attempt `a` is missing, and its route is searched for it. */
const isMissingSql = `a.result is null
   and (a.outcome = 'unknown' and a.route_id = any ($6::text[]) or a.outcome = 'accepted' and a.route_id = any ($7::text[]))`

/** SQL join: the open steps `f` that have such an attempt. The limit keeps the planner from scanning the attempts. */
const openSql = `in_flight f cross join lateral (
     select from attempts a where a.msg_key = any (array[f.msg_key]) and a.step = f.step and a.try = f.try and ${isMissingSql} limit 1) m`

export async function findUnresolved(
  database: Queryable,
  { keys, due, routeIds, limit }: UnresolvedQuery,
): Promise<FoundPart[]> {
  const { rows } = await database.query<Row>({
    name: 'find-unresolved',
    text: `with open as materialized (
             select f.* from unnest($1::text[], $2::text[]) as w (from_key, before_key)
               cross join lateral (
                 select msg_key, step, try, due_at, claim_login, false as is_last from ${openSql}
                  where msg_key >= w.from_key and msg_key < w.before_key and state = 'claimed'
                  order by msg_key limit $8) f
             union all
             select f.*, w.is_last from unnest($3::timestamptz[], $4::timestamptz[], $5::boolean[]) as w (from_at, before_at, is_last)
               cross join lateral (
                 select msg_key, step, try, due_at, claim_login from ${openSql}
                  where due_at >= w.from_at and due_at < w.before_at and state = 'claimed'
                  order by due_at limit $8) f)
           select a.msg_key as "msgKey", a.step, a.try, a.part, a.parts, a.route_id as "routeId", a.outcome,
                  coalesce(a.spelled_id, a.carrier_id) as "carrierId", a.outcome_code as code, a.cause, a.carrier,
                  a.submitted_at as "submittedAt", a.route_reason as "routeReason", o.due_at as "dueAt", o.is_last as "isLast",
                  o.claim_login as login, m.recipient as to, m.flow, m.sealed
             from open o
             join attempts a on a.msg_key = any (array[o.msg_key]) and a.step = o.step and a.try = o.try
             join messages m on m.msg_key = any (array[o.msg_key])
            where ${isMissingSql}`,
    values: [
      keys.map(({ fromKey }) => fromKey),
      keys.map(({ beforeKey }) => beforeKey),
      due.map(({ from }) => from),
      due.map(({ before }) => before),
      due.map(({ isLast }) => isLast),
      routeIds.response,
      routeIds.receipt,
      limit,
    ],
  })
  const contents = await readContents(rows)
  return rows.flatMap(({ to, flow, sealed, dueAt, isLast, login, ...row }) => {
    const content = sealed === null ? { to, steps: flow ?? [] } : contents.get(row.msgKey)
    const step = content?.steps[row.step - 1]
    // The content of the message was erased or cannot be decrypted.
    if (content === undefined || step === undefined || content.to === '') return []
    const part = { row: { ...row, recipient: content.to }, given: step, dueAt, isLast }
    return [{ ...part, login: login ?? undefined }]
  })
}
