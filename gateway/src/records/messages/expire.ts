/**
 * Claims steps past their deadline. They are found through the index on `due_at`, so that a due step costs
 * the same with a hundred or a million open ones. Rows that another worker has locked are left to it. The
 * steps leave the waiting table; a step that a rule holds for an operator ends its message, because its next
 * step would be sent unseen.
 *
 * None is claimed if the time of the transaction is not what this process expects: PostgreSQL's clock jumps before
 * `clock` measures it, and outcomes and receipts of the steps can be on their way.
 */
import type { Step } from '../../channels/channel.ts'
import { readContents } from '../../jobs/sealed.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import { clock } from '../../platform/time/clock.ts'
import { isCancelledSql } from '../batches/transitions.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { removeEnded } from '../waiting/write-waiting.ts'
import type { EndedStep } from './close.ts'
import { countStepParts } from './step-type.ts'

interface DueRow {
  readonly msgKey: string
  readonly step: number
  readonly try: number
  /** `null` for a step that was never submitted. */
  readonly parts: number | null
  readonly unknown: boolean
  readonly routeId: string | null
  readonly dueAt: Date
  readonly sentAt: Date | null
  readonly carrier: string | null
  readonly isStopped: boolean
  readonly isUnclaimed: boolean
}

export interface ExpiredStep extends EndedStep {
  /** The route of its last submission; `null` if it was never submitted. */
  readonly routeId: string | null
  readonly dueAt: Date
  /** Whether its account is blocked or its batch is cancelled, so that it is not sent again. */
  readonly isStopped: boolean
  /**
   * Whether a rule held it until its deadline without an operator's decision, so that no later step can be
   * sent either.
   */
  readonly last: boolean
}

export async function claimExpired(
  transaction: Queryable,
  dueBefore: Date,
  limit: number,
): Promise<ExpiredStep[]> {
  const at = clock.date()
  const result = await transaction.query<DueRow>({
    name: 'take-expired',
    text: `with due as (select msg_key, account_id, step, try, state, due_at, batch_id from in_flight
                         where due_at <= least($1::timestamptz, $3::timestamptz) and abs(extract(epoch from now() - $3)) * 1000 <= $4
                         order by due_at limit $2 for update skip locked)
           select d.msg_key as "msgKey", d.step, d.try, a.parts,
                  coalesce(a.unknown, d.state = 'claimed') as unknown, a.route_id as "routeId", d.due_at as "dueAt", a.sent_at as "sentAt", a.carrier,
                  coalesce((select blocked from accounts o where o.id = d.account_id), false) or ${isCancelledSql('d')} as "isStopped",
                  d.state = 'unclaimed' as "isUnclaimed"
             from due d left join lateral (
               select max(parts) as parts, bool_or(outcome = 'unknown' and result is null) as unknown, min(submitted_at) as sent_at, max(route_id) as route_id, max(carrier) as carrier
                 from attempts a where a.msg_key = d.msg_key and a.step = d.step and a.try = d.try) a on true`,
    values: [dueBefore, limit, at, clock.maxSkewMs],
  })
  if (result.rows.length === 0) return []
  const waiting = await removeEnded(transaction, result.rows)
  const isHeld = ({ msgKey, isUnclaimed }: DueRow): boolean => {
    const rule = waiting.get(msgKey)?.suspendedBy ?? null
    return isUnclaimed && rule !== null && rule !== 'account-stopped'
  }
  const getKnownParts = ({ msgKey, parts }: DueRow): number | null =>
    parts ?? waiting.get(msgKey)?.parts ?? null
  const uncounted = result.rows.filter((row) => getKnownParts(row) === null)
  const parts = uncounted.length === 0 ? new Map<string, number>() : await countParts(transaction, uncounted)
  return result.rows.map((row) => ({
    msgKey: row.msgKey,
    step: row.step,
    try: row.try,
    parts: getKnownParts(row) ?? parts.get(row.msgKey) ?? 1,
    cause: row.unknown ? 'outcome-unknown' : 'timeout',
    uncertain: row.unknown ? 'unknown' : row.parts === null ? undefined : 'timeout',
    carrier: row.carrier ?? undefined,
    routeId: row.routeId,
    dueAt: row.dueAt,
    sentAt: row.sentAt ?? at,
    at,
    isStopped: row.isStopped,
    last: isHeld(row),
  }))
}

/** Reports whether any step is past its deadline, with one probe; claiming steps needs a transaction. */
export async function isAnyDue(database: Queryable, now: Date): Promise<boolean> {
  const result = await database.query({
    name: 'find-due-step',
    text: 'select from in_flight where due_at <= $1 order by due_at limit 1',
    values: [now],
  })
  return result.rowCount === 1
}

/**
 * Locks the step that is due first and returns it, or undefined if none is due. `claimExpired` then claims it.
 */
export async function lockFirstDue(transaction: Queryable, now: Date): Promise<StepKey | undefined> {
  const result = await transaction.query<StepKey>(
    `select msg_key as "msgKey", step, try from in_flight where due_at <= $1 order by due_at limit 1
        for update skip locked`,
    [now],
  )
  return result.rows[0]
}

/** Postpones the deadline only while the step is still current: a later step has its own deadline. */
export async function postponeDeadline(database: Queryable, key: StepKey, until: Date): Promise<void> {
  await database.query('update in_flight set due_at = $4 where msg_key = $1 and step = $2 and try = $3', [
    key.msgKey,
    key.step,
    key.try,
    until,
  ])
}

// Reads the flow here: PostgreSQL cannot access JSON that contains U+0000, and one such message would block
// the deadlines of all others.
async function countParts(transaction: Queryable, steps: readonly StepKey[]): Promise<Map<string, number>> {
  const rows = await queryBulk<FlowRow>(transaction, {
    name: 'read-expired-flows',
    text: `select k.msg_key as "msgKey", k.step, m.flow, m.sealed from unnest($1::text[], $2::smallint[]) as k (msg_key, step)
             join messages m on m.msg_key = any (array[k.msg_key])`,
    columns: columns(steps, ({ msgKey, step }) => [msgKey, step]),
  })
  const contents = await readContents(rows)
  return new Map(
    rows.map(({ msgKey, step, flow }) => {
      const content = (contents.get(msgKey)?.steps ?? flow)?.[step - 1]
      return [msgKey, content === undefined ? 1 : countStepParts(content, msgKey)]
    }),
  )
}

interface FlowRow extends Pick<StepKey, 'msgKey' | 'step'> {
  readonly flow: readonly Step[] | null
  readonly sealed: Buffer | null
}
