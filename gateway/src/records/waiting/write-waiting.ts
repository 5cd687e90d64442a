/**
 * Holds steps in the table `waiting`, and removes them. A row is removed after its job is in the route's
 * queue. A job released twice is harmless, because a step is claimed once.
 */
import type { Lane } from '../../channels/lane.ts'
import { inKeyOrder, type StepKey } from '../../jobs/step-key.ts'
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type HeldStep, neverSql, type WaitingStep } from './waiting-step.ts'

/**
 * Inserts the rows or updates existing ones: a message has one step at a time. The start of the wait stays,
 * unless a rule begins to hold the step or the step becomes `owed`: `trust/stale-denials.ts` counts from
 * then.
 */
export async function holdSteps(database: Queryable, held: readonly HeldStep[]): Promise<void> {
  await queryBulk(database, {
    name: 'hold-steps',
    text: `insert into waiting (msg_key, step, try, account_id, route_id, lane, parts, tries, release_at, reason, route_reason, rule, resume_at, created_at, batch_id)
           select k.msg_key, k.step, k.try, k.account_id, k.route_id, k.lane, k.parts, k.tries, k.release_at, k.reason,
                  k.route_reason, k.rule, k.resume_at, coalesce(k.since, now()),
                  (select f.batch_id from in_flight f where f.msg_key = any (array[k.msg_key]))
             from unnest($1::text[], $2::smallint[], $3::smallint[], $4::int[], $5::text[], $6::text[],
                                $7::smallint[], $8::smallint[], $9::timestamptz[], $10::text[], $11::text[], $12::text[],
                                $13::timestamptz[], $14::timestamptz[])
               as k (msg_key, step, try, account_id, route_id, lane, parts, tries, release_at, reason, route_reason, rule, resume_at, since)
           on conflict (msg_key) do update
             set step = excluded.step, try = excluded.try, route_id = excluded.route_id, lane = excluded.lane,
                 parts = excluded.parts, tries = excluded.tries, release_at = excluded.release_at, reason = excluded.reason,
                 route_reason = excluded.route_reason, rule = excluded.rule, resume_at = excluded.resume_at,
                 created_at = case when excluded.reason in ('owed', 'rule')
                                    and (excluded.step, excluded.reason, excluded.rule)
                                        is distinct from (waiting.step, waiting.reason, waiting.rule)
                                   then excluded.created_at else waiting.created_at end
           where (excluded.step, excluded.try) >= (waiting.step, waiting.try)`,
    columns: columns(inKeyOrder(held), (row) => [
      row.msgKey,
      row.step,
      row.try,
      row.accountId,
      row.routeId,
      row.lane,
      row.parts,
      row.tries,
      row.releaseAt,
      row.reason,
      row.routeReason,
      row.rule,
      row.resumeAt,
      row.since,
    ]),
  })
}

/**
 * Removes steps that were released or are no longer needed. A row of a later step of the same message stays,
 * and so does one that was held again since it was read: its route can have returned it before the releaser
 * gets here.
 */
export async function removeWaiting(
  database: Queryable,
  keys: readonly (StepKey & Partial<Pick<WaitingStep, 'releaseAt'>>)[],
): Promise<void> {
  await queryBulk(database, {
    name: 'remove-waiting',
    text: `delete from waiting w
            using unnest($1::text[], $2::smallint[], $3::smallint[], $4::timestamptz[]) as k (msg_key, step, try, release_at)
            where w.msg_key = any (array[k.msg_key]) and w.step = k.step and w.try = k.try
              -- JavaScript dates have no microseconds.
              and (k.release_at is null or date_trunc('milliseconds', w.release_at) = k.release_at)`,
    columns: columns(inKeyOrder(keys), (key) => [key.msgKey, key.step, key.try, key.releaseAt]),
  })
}

/**
 * Removes those of the oldest due steps of each account that end by its time: they are not released, and end
 * at their deadline. Reads `perAccount` steps of each. Returns how many were removed.
 */
export async function removeEndingSoon(
  database: Queryable,
  routeId: string,
  lane: Lane,
  endedBy: ReadonlyMap<number, Date>,
  { now, perAccount }: { readonly now: Date; readonly perAccount: number },
): Promise<number> {
  const result = await database.query({
    name: 'remove-ending-soon',
    text: `delete from waiting d
            using (select w.msg_key, w.step, w.try from unnest($3::int[], $6::timestamptz[]) as a (account_id, ended_by)
                   cross join lateral (
                     select msg_key, step, try from waiting w
                      where w.route_id = $1 and w.lane = $2 and w.account_id = a.account_id and w.release_at <= $4
                      order by w.release_at limit $5) w
                   join in_flight f on f.msg_key = any (array[w.msg_key]) and f.step = w.step and f.try = w.try and f.due_at <= a.ended_by
                   order by w.msg_key collate "C") e
            where d.msg_key = any (array[e.msg_key]) and d.step = e.step and d.try = e.try
              -- Checked again for a row that another transaction has changed meanwhile: it was held again, or moved.
              -- Not by equality, for which the index of routes could be used instead of the key.
              and d.route_id is not distinct from $1 and d.release_at <= $4`,
    values: [routeId, lane, [...endedBy.keys()], now, perAccount, [...endedBy.values()]],
  })
  return result.rowCount ?? 0
}

export interface LockedSteps {
  /** Steps that no route has claimed, locked with their messages. */
  readonly current: readonly (StepKey & { readonly parts: number })[]
  /** Rows whose message has ended or moved on. */
  readonly ended: readonly StepKey[]
}

/** Locks the waiting steps of these messages, except those that another transaction has locked. */
export async function lockWaiting(transaction: Queryable, keys: readonly string[]): Promise<LockedSteps> {
  const rows = await transaction.query<StepKey & { parts: number; isCurrent: boolean }>(
    `select w.msg_key as "msgKey", w.step, w.try, w.parts, f.msg_key is not null as "isCurrent"
       from waiting w left join in_flight f on f.msg_key = any (array[w.msg_key]) and f.step = w.step and f.try = w.try
      where w.msg_key = any ($1) for update of w skip locked`,
    [keys],
  )
  const locked = await transaction.query<{ key: string }>(
    `select msg_key as key from in_flight where msg_key = any ($1) and state = 'unclaimed' for update skip locked`,
    [rows.rows.filter(({ isCurrent }) => isCurrent).map(({ msgKey }) => msgKey)],
  )
  const unclaimed = new Set(locked.rows.map(({ key }) => key))
  return {
    current: rows.rows.filter(({ msgKey, isCurrent }) => isCurrent && unclaimed.has(msgKey)),
    ended: rows.rows.filter(({ isCurrent }) => !isCurrent),
  }
}

export interface EndedWaitingStep {
  /** The rule that suspended the step, `account-stopped` for a blocked account; `null` if it was not suspended. */
  readonly suspendedBy: string | null
  /** `null` if the parts were not counted. */
  readonly parts: number | null
}

/**
 * Removes the rows of steps that end: suspended ones are never due, and each of the others would cost a
 * release that finds nothing to send. Waits for an operator who decides on one of them concurrently.
 */
export async function removeEnded(
  transaction: Queryable,
  steps: readonly StepKey[],
): Promise<ReadonlyMap<string, EndedWaitingStep>> {
  const rows = await queryBulk<EndedWaitingStep & { key: string }>(transaction, {
    name: 'remove-ended',
    text: `delete from waiting w
            using unnest($1::text[], $2::smallint[], $3::smallint[]) as k (msg_key, step, try)
            where w.msg_key = any (array[k.msg_key]) and w.step = k.step and w.try = k.try
           returning w.msg_key as key, case when w.release_at = ${neverSql} then w.rule end as "suspendedBy",
                     case when w.reason = 'backlog' then w.parts end as parts`,
    columns: columns(inKeyOrder(steps), ({ msgKey, step, try: nth }) => [msgKey, step, nth]),
  })
  return new Map(rows.map(({ key, ...row }) => [key, row]))
}
