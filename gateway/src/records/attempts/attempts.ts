/**
 * Records the carrier's response to each part, in bulk. Recording the same part again changes nothing, except
 * that a real response replaces `unknown`.
 */
import type { Cause } from '../../channels/cause.ts'
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import {
  inTransaction,
  isDuplicateKey,
  type Database,
  type Queryable,
} from '../../platform/database/database.ts'
import { stepId, type StepKey } from '../../jobs/step-key.ts'
import { toStoredId, toStoredRecipient } from './identifiers.ts'

export interface AttemptRow extends StepKey {
  readonly part: number
  readonly parts: number
  readonly routeId: string
  readonly recipient: string
  readonly outcome: 'accepted' | 'refused' | 'unknown'
  readonly carrierId: string | null
  readonly code: string | null
  readonly cause: Cause | null
  /** The report code of a refusal, if it is more specific than the cause. */
  readonly reportCode?: string | undefined
  /** The carrier that a refused number was ported to. */
  readonly portedTo?: string | undefined
  /** The recipient's mobile carrier, if it is known at submission. */
  readonly carrier?: string | null
  readonly submittedAt: Date
  /** Why this route was chosen, and why and how long the step waited before. */
  readonly routeReason?: string | null | undefined
  readonly heldReason?: string | null | undefined
  readonly heldMs?: number | null | undefined
}

const insertion = `insert into attempts (msg_key, step, try, part, parts, route_id, recipient, outcome, carrier_id, spelled_id,
                      outcome_code, submitted_at, result, cause, result_at, route_reason, held_reason, held_ms, carrier, detail)
  select msg_key, step, try, part, parts, route_id, recipient, outcome, carrier_id, spelled_id, code, submitted_at,
         case outcome when 'refused' then 'failed' end, cause, case outcome when 'refused' then submitted_at end,
         route_reason, held_reason, held_ms, carrier, detail
    from unnest($1::text[], $2::smallint[], $3::smallint[], $4::smallint[], $5::smallint[], $6::text[], $7::text[],
                $8::text[], $9::text[], $10::text[], $11::text[], $12::timestamptz[], $13::text[], $14::text[], $15::text[], $16::bigint[], $17::text[], $18::text[])
      as a (msg_key, step, try, part, parts, route_id, recipient, outcome, carrier_id, spelled_id, code, submitted_at, cause,
            route_reason, held_reason, held_ms, carrier, detail)`

/** Nearly all parts are new, so a cheaper statement runs first, which fails if one of them exists. */
export async function recordAttempts(database: Database, rows: readonly AttemptRow[]): Promise<void> {
  const unique = keepOnePerPart(rows)
  try {
    await insertAttempts(database, unique)
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
    await inTransaction(database, (transaction) => mergeAttempts(transaction, unique))
  }
}

/**
 * Keeps one row for each part, because a statement cannot write a row twice: the last real response, or the first
 * `unknown` if there is none. Sorts by the primary key, so that two writers of the same
 * parts do not deadlock.
 */
function keepOnePerPart(rows: readonly AttemptRow[]): AttemptRow[] {
  const byPart = new Map<string, AttemptRow>()
  for (const row of rows) {
    const part = `${row.msgKey}/${row.step}/${row.try}/${row.part}`
    if (row.outcome !== 'unknown' || !byPart.has(part)) byPart.set(part, row)
  }
  return [...byPart.values()].sort(byKey)
}

function byKey(left: AttemptRow, right: AttemptRow): number {
  if (left.msgKey !== right.msgKey) return left.msgKey < right.msgKey ? -1 : 1
  return left.step - right.step || left.try - right.try || left.part - right.part
}

export async function insertAttempts(database: Queryable, rows: readonly AttemptRow[]): Promise<void> {
  await queryBulk(database, { name: 'insert-attempts', text: insertion, columns: columns(rows, toValues) })
}

export async function mergeAttempts(transaction: Queryable, rows: readonly AttemptRow[]): Promise<void> {
  // Lock the rows, so that no receipt is matched to one of them in between.
  const lockedParts = await queryBulk<PartId>(transaction, {
    name: 'lock-attempts',
    text: `select a.msg_key as "msgKey", a.step, a.try, a.part, case when a.result is not null then a.carrier_id end as "carrierId"
             from unnest($1::text[], $2::smallint[], $3::smallint[], $4::smallint[]) as k (msg_key, step, try, part)
             join attempts a on a.msg_key = any (array[k.msg_key]) and a.step = k.step and a.try = k.try and a.part = k.part
            order by k.msg_key collate "C", k.step, k.try, k.part for update of a`,
    columns: columns(rows, (row) => [row.msgKey, row.step, row.try, row.part]),
  })
  await queryBulk(transaction, {
    name: 'merge-attempts',
    text: `${insertion}
           on conflict (msg_key, step, try, part) do update
             set outcome = excluded.outcome, carrier_id = coalesce(excluded.carrier_id, attempts.carrier_id),
                 spelled_id = excluded.spelled_id, outcome_code = excluded.outcome_code,
                 -- A copy of the job on another route may have recorded unknown first. The response comes from the route
                 -- that submitted, and its receipts are matched within that route's login.
                 route_id = excluded.route_id, route_reason = excluded.route_reason, submitted_at = excluded.submitted_at,
                 carrier = coalesce(excluded.carrier, attempts.carrier), detail = excluded.detail,
                 result = coalesce(attempts.result, excluded.result), cause = coalesce(attempts.cause, excluded.cause),
                 result_at = coalesce(attempts.result_at, excluded.result_at)
           where attempts.outcome = 'unknown' and excluded.outcome <> 'unknown'`,
    columns: columns(reconcileCarrierIds(rows, lockedParts), toValues),
  })
}

export interface PartId extends StepKey {
  readonly part: number
  /** The carrier's spelling in a response, and the stored form in `kept`. */
  readonly carrierId: string | null
}

/**
 * Assigns the ids of a late response to the parts of its step. While the response was missing, receipts were
 * matched to any open part, and these parts, passed as `kept`, have the ids of their receipts. The other
 * parts must get the other ids: otherwise the next receipt would match a part that has one, count as
 * repeated, and leave its step open until the deadline.
 */
export function reconcileCarrierIds<Row extends PartId>(
  answered: readonly Row[],
  kept: readonly PartId[],
): Row[] {
  const assigned = [...answered]
  const indexOf = new Map(assigned.map((row, index) => [`${stepId(row)}/${row.part}`, index]))
  for (const { carrierId, part, ...key } of kept) {
    if (carrierId === null) continue
    const to = indexOf.get(`${stepId(key)}/${part}`)
    const from = assigned.findIndex(
      (row) => toStoredId(row.carrierId) === carrierId && stepId(row) === stepId(key),
    )
    if (to === undefined || from < 0) continue
    const other = assigned[to]!.carrierId
    assigned[to] = { ...assigned[to]!, carrierId: assigned[from]!.carrierId }
    if (from !== to) assigned[from] = { ...assigned[from]!, carrierId: other }
  }
  return assigned
}

function toValues(row: AttemptRow): unknown[] {
  const carrierId = toStoredId(row.carrierId)
  return [
    row.msgKey,
    row.step,
    row.try,
    row.part,
    row.parts,
    row.routeId,
    toStoredRecipient(row.recipient),
    row.outcome,
    carrierId,
    carrierId === null || carrierId === row.carrierId ? null : row.carrierId,
    row.code,
    row.submittedAt,
    row.cause,
    row.routeReason,
    row.heldReason,
    row.heldMs,
    row.carrier,
    toDetail(row),
  ]
}

/** Both details of a refusal share a column: no refusal has both. */
function toDetail({ reportCode, portedTo }: AttemptRow): string | null {
  return portedTo === undefined ? (reportCode ?? null) : portedPrefix + portedTo
}

function fromDetail(detail: string | null): Pick<AttemptRow, 'reportCode' | 'portedTo'> {
  if (detail === null) return {}
  return detail.startsWith(portedPrefix)
    ? { portedTo: detail.slice(portedPrefix.length) }
    : { reportCode: detail }
}

const portedPrefix = 'ported:'

export type RefusedAttempt = StepKey &
  Pick<AttemptRow, 'part' | 'parts' | 'cause' | 'reportCode' | 'portedTo' | 'submittedAt' | 'carrier'>

/** Returns the first refused part of each of these steps that has one. */
export async function findRefusals(database: Queryable, keys: readonly StepKey[]): Promise<RefusedAttempt[]> {
  const rows = await queryBulk<RefusedAttempt & { readonly detail: string | null }>(database, {
    text: `select distinct on (a.msg_key, a.step, a.try) a.msg_key as "msgKey", a.step, a.try, a.part, a.parts, a.cause, a.carrier, a.detail, a.submitted_at as "submittedAt"
       from attempts a join unnest($1::text[], $2::smallint[], $3::smallint[]) as k (msg_key, step, try)
         on a.msg_key = any (array[k.msg_key]) and a.step = k.step and a.try = k.try
      where a.outcome = 'refused' order by a.msg_key, a.step, a.try, a.part`,
    columns: columns(keys, (key) => [key.msgKey, key.step, key.try]),
  })
  return rows.map(({ detail, ...row }) => ({ ...row, ...fromDetail(detail) }))
}

/** Removes the recipients from the attempts of these messages. Returns each stored recipient once. */
export async function eraseAttemptRecipients(
  transaction: Queryable,
  msgKeys: readonly string[],
): Promise<string[]> {
  const stored = await transaction.query<{ recipient: string }>(
    `select distinct recipient from attempts where msg_key = any($1) and recipient <> ''`,
    [msgKeys],
  )
  if (stored.rows.length > 0)
    await transaction.query(
      `update attempts set recipient = '' where msg_key = any($1) and recipient <> ''`,
      [msgKeys],
    )
  return stored.rows.map(({ recipient }) => recipient)
}
