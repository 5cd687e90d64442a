/**
 * SQL of the table `waiting`, its only writer: steps that wait to be released to their route. A row is removed after its
 * job is in the route's queue. A job released twice is harmless, because a step is claimed once.
 */
import type { Step } from '../../channels/channel.ts'
import { clock } from '../../platform/clock.ts'
import { columns, queryBulk } from '../../platform/bulk.ts'
import type { Queryable } from '../../platform/database.ts'
import { possibleShareIds } from '../../jobs/route-share.ts'
import { readContents, type RowContent } from '../../jobs/sealed.ts'
import { inKeyOrder, type StepKey } from '../../jobs/step-key.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import type { Lane } from '../../channels/lane.ts'

/**
 * `owed`: the process that started the step is about to release it. `backlog`: behind its account's fair share.
 * `scheduled`: until the time the client gave. `retry`: until the carrier is tried again. `moved`: its route cannot
 * accept it and another one is chosen. `rule`: until a rule of trust allows it.
 */
export type WaitReason = 'owed' | 'backlog' | 'scheduled' | 'retry' | 'moved' | 'rule'

export interface HeldStep {
  readonly msgKey: string
  readonly step: number
  readonly try: number
  readonly accountId: number
  /** The share of the route that it waits for, which is the route when that has one owner. Empty while none is chosen. */
  readonly routeId: string
  /** Why that route, for the message's timeline. */
  readonly routeReason?: string
  readonly lane: Lane
  readonly parts: number
  readonly tries: number
  readonly releaseAt: Date
  readonly reason: WaitReason
  /** The rule of trust that holds it. */
  readonly rule?: string
  /** When it would be released, of a step that waits for an operator. */
  readonly resumeAt?: Date
}

/** When a step is due that waits for an operator. */
export const never = new Date('9999-01-01T00:00:00Z')

/** Inserts the rows or updates existing ones: a message has one step at a time. */
export async function holdSteps(database: Queryable, held: readonly HeldStep[]): Promise<void> {
  await queryBulk(database, {
    name: 'hold-steps',
    text: `insert into waiting (msg_key, step, try, account_id, route_id, lane, parts, tries, release_at, reason, route_reason, rule, resume_at)
           select * from unnest($1::text[], $2::smallint[], $3::smallint[], $4::int[], $5::text[], $6::text[],
                                $7::smallint[], $8::smallint[], $9::timestamptz[], $10::text[], $11::text[], $12::text[],
                                $13::timestamptz[])
           on conflict (msg_key) do update
             set step = excluded.step, try = excluded.try, route_id = excluded.route_id, lane = excluded.lane,
                 parts = excluded.parts, tries = excluded.tries, release_at = excluded.release_at, reason = excluded.reason,
                 route_reason = excluded.route_reason, rule = excluded.rule, resume_at = excluded.resume_at
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
    ]),
  })
}

/** A waiting step with its job; `job` is null when there is nothing to release. */
export interface WaitingStep extends StepKey {
  /** Not released before this time. A changed time means that the step was held again. */
  readonly releaseAt: Date
  readonly accountId: number
  readonly parts: number
  readonly lane: Lane
  readonly job: RouteJob | null
}

/** The lanes of each route on which steps wait. Steps without a route are listed under '' when they are due. */
export type WaitingLanes = ReadonlyMap<string, ReadonlySet<Lane>>

/**
 * One index probe per route and lane with waiting steps, and three for the steps without a route, however many wait. A
 * step that has a route is due: it waits for its turn only.
 */
export async function findWaitingLanes(database: Queryable): Promise<WaitingLanes> {
  const result = await database.query<{ routeId: string; lane: Lane }>({
    name: 'find-waiting-lanes',
    text: `with recursive waits (route_id, lane) as (
             (select route_id, lane from waiting where route_id > '' order by route_id, lane limit 1)
             union all
             select n.route_id, n.lane from waits p cross join lateral (
               select route_id, lane from waiting w where (w.route_id, w.lane) > (p.route_id, p.lane)
                order by route_id, lane limit 1) n)
           select route_id as "routeId", lane from waits
           union all
           select '', l.lane from unnest(array['urgent', 'normal', 'bulk']) as l (lane)
            -- The first in order of time, not any that is due: only one index has this order, so that the plan is the same
            -- while the table is empty.
            where (select release_at from waiting w where w.route_id = '' and w.lane = l.lane
                    order by release_at limit 1) <= now()`,
  })
  const waiting = new Map<string, Set<Lane>>()
  for (const { routeId, lane } of result.rows) {
    const found = waiting.get(routeId)
    if (found === undefined) waiting.set(routeId, new Set([lane]))
    else found.add(lane)
  }
  return waiting
}

/** Accounts with due steps on a lane of a route: one index probe per account, however many steps wait. */
export async function findWaiters(
  database: Queryable,
  routeId: string,
  lane: Lane,
  now: Date,
): Promise<number[]> {
  const result = await database.query<{ accountId: number }>({
    name: 'find-waiters',
    text: `with recursive first (account_id, release_at) as (
             (select account_id, release_at from waiting where route_id = $1 and lane = $2
               order by account_id, release_at limit 1)
             union all
             select n.account_id, n.release_at from first f cross join lateral (
               select account_id, release_at from waiting w
                where w.route_id = $1 and w.lane = $2 and w.account_id > f.account_id
                order by account_id, release_at limit 1) n)
           select account_id as "accountId" from first where release_at <= $3`,
    values: [routeId, lane, now],
  })
  return result.rows.map((row) => row.accountId)
}

/** Parts that wait on a lane of a route, up to `max`. */
export async function countDueParts(
  database: Queryable,
  routeId: string,
  lane: Lane,
  now: Date,
  max: number,
): Promise<number> {
  const result = await database.query<{ parts: number }>({
    name: 'count-due-parts',
    text: `select least(coalesce(sum(parts), 0), $4)::int as parts
             from (select parts from waiting where route_id = $1 and lane = $2 and release_at <= $3 limit $4) due`,
    values: [routeId, lane, now, max],
  })
  return result.rows[0]!.parts
}

/** Due steps without a route that are looked at one by one before accounts are. */
const maxDueRead = 2_000

/** `unscheduled`: all but those that must not be sent before a time, by the wish of the client or by a rule. */
export type DueSteps = 'all' | 'unscheduled'

/** Accounts with due steps under a route id, which is empty for steps without a route. */
export async function findDueAccounts(
  database: Queryable,
  routeId: string,
  lane: Lane,
  now: Date,
  which: DueSteps = 'all',
): Promise<number[]> {
  if (routeId !== '') return findWaiters(database, routeId, lane, now)
  const result = await database.query<{ accountId: number; steps: number }>({
    name: 'find-due-accounts',
    text: `select account_id as "accountId", count(*) as steps
             from (select account_id from waiting w
                    where w.route_id = '' and w.lane = $1 and w.release_at <= $2 and ($4 or w.reason not in ('scheduled', 'rule'))
                    order by w.release_at limit $3) due
            group by account_id`,
    values: [lane, now, maxDueRead, which === 'all'],
  })
  const steps = result.rows.reduce((sum, row) => sum + row.steps, 0)
  // Fewer are due than were looked at. Otherwise the first of them may all be of one account: a probe for every account
  // that has scheduled steps, most of which may be for later.
  if (steps < maxDueRead) return result.rows.map(({ accountId }) => accountId)
  return findWaiters(database, '', lane, now)
}

/**
 * The oldest due steps of each account, up to the given number of parts; more when its first step has more. Those that end
 * by the time that `endedBy` gives for their account have no job.
 */
export async function readDueSteps(
  database: Queryable,
  routeId: string,
  lane: Lane,
  shares: ReadonlyMap<number, number>,
  now: Date,
  {
    which = 'all',
    endedBy = new Map(),
  }: { readonly which?: DueSteps; readonly endedBy?: ReadonlyMap<number, Date> } = {},
): Promise<WaitingStep[]> {
  const result = await database.query<WaitingRow>({
    name: 'read-due-steps',
    text: `select ${stepColumns}
             from unnest($3::int[], $4::int[], $7::timestamptz[]) as s (account_id, share, ended_by)
             cross join lateral (
               select * from waiting w
                where w.route_id = $1 and w.lane = $2 and w.account_id = s.account_id and w.release_at <= $5
                  and ($6 or w.reason not in ('scheduled', 'rule'))
                order by w.release_at limit s.share) w
             ${joins} and (s.ended_by is null or f.due_at > s.ended_by)`,
    values: [
      routeId,
      lane,
      [...shares.keys()],
      [...shares.values()],
      now,
      which === 'all',
      Array.from(shares.keys(), (accountId) => endedBy.get(accountId)),
    ],
  })
  return toWaitingSteps(result.rows)
}

/**
 * Removes those of the oldest due steps of each account that end by its time: they are not released, and end at their
 * deadline. Looks at `perAccount` steps of each. Returns how many were removed.
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

/** Where a page of an account's due steps ended. */
export interface PagePosition {
  /** As PostgreSQL writes it: JavaScript dates have no microseconds. */
  readonly releaseAt: string
  readonly msgKey: string
}

export const firstPage: PagePosition = { releaseAt: '-infinity', msgKey: '' }

export interface PagedStep extends WaitingStep {
  readonly position: PagePosition
}

/** Up to `perAccount` due steps of each account after its position, in the order of their positions. */
export async function readDuePage(
  database: Queryable,
  routeId: string,
  lane: Lane,
  after: ReadonlyMap<number, PagePosition>,
  { perAccount, now }: { readonly perAccount: number; readonly now: Date },
): Promise<PagedStep[]> {
  const positions = [...after.values()]
  const result = await database.query<WaitingRow & { readonly position: string }>({
    name: 'read-due-page',
    text: `select ${stepColumns}, w.release_at::text as position
             from unnest($3::int[], $4::timestamptz[], $5::text[]) as s (account_id, release_at, msg_key)
             cross join lateral (
               select * from waiting w
                where w.route_id = $1 and w.lane = $2 and w.account_id = s.account_id
                  and w.release_at >= s.release_at and w.release_at <= $6
                  and (w.release_at, w.msg_key) > (s.release_at, s.msg_key)
                order by w.release_at, w.msg_key limit $7) w
             ${joins}
            order by w.release_at, w.msg_key`,
    values: [
      routeId,
      lane,
      [...after.keys()],
      positions.map(({ releaseAt }) => releaseAt),
      positions.map(({ msgKey }) => msgKey),
      now,
      perAccount,
    ],
  })
  const contents = await readContents(result.rows)
  return result.rows.map((row) => ({
    ...toWaitingStep(row, contents.get(row.msgKey)),
    position: { releaseAt: row.position, msgKey: row.msgKey },
  }))
}

/** The waiting steps of these messages, on any route. */
export async function readWaiting(database: Queryable, keys: readonly string[]): Promise<WaitingStep[]> {
  const result = await database.query<WaitingRow>({
    name: 'read-waiting',
    text: `select ${stepColumns} from waiting w ${joins} where w.msg_key = any($1)`,
    values: [keys],
  })
  return toWaitingSteps(result.rows)
}

/** Steps that wait for any share of the route; with `max` counted up to it. */
export async function countWaiting(database: Queryable, routeId: string, max?: number): Promise<number> {
  const result = await database.query<{ n: number }>(
    'select count(*) as n from (select from waiting where route_id = any($1) limit $2) counted',
    // `limit null` is no limit.
    [possibleShareIds(routeId), max ?? null],
  )
  return result.rows[0]!.n
}

export interface WaitingCounts {
  readonly steps: number
  /** There are more than were counted. */
  readonly more: boolean
  readonly lanes: { readonly lane: Lane; readonly steps: number; readonly parts: number }[]
}

/** Steps that wait for the shares, by lane and by account, the account with the most first; counted up to `max`. */
export async function countWaitingBy(
  database: Queryable,
  shareIds: readonly string[],
  max: number,
): Promise<WaitingCounts & { readonly accounts: readonly { accountId: number; steps: number }[] }> {
  const result = await database.query<{ lane: Lane; accountId: number; steps: number; parts: number }>(
    `select lane, account_id as "accountId", count(*) as steps, sum(parts)::bigint as parts
       from (select lane, account_id, parts from waiting where route_id = any($1::text[]) limit $2) w
      group by lane, account_id`,
    [shareIds, max + 1],
  )
  const sum = (rows: readonly { steps: number }[]): number => rows.reduce((all, row) => all + row.steps, 0)
  const steps = sum(result.rows)
  const byLane = Map.groupBy(result.rows, ({ lane }) => lane)
  const byAccount = Map.groupBy(result.rows, ({ accountId }) => accountId)
  return {
    ...{ steps: Math.min(steps, max), more: steps > max },
    lanes: [...byLane].map(([lane, rows]) => ({
      ...{ lane, steps: sum(rows), parts: rows.reduce((all, row) => all + row.parts, 0) },
    })),
    accounts: [...byAccount]
      .map(([accountId, rows]) => ({ accountId, steps: sum(rows) }))
      .sort((left, right) => right.steps - left.steps),
  }
}

/** Those of the given routes that have due steps. */
export async function findRoutesWithWaiters(
  database: Queryable,
  routeIds: readonly string[],
): Promise<string[]> {
  const result = await database.query<{ id: string }>({
    name: 'find-routes-with-waiters',
    text: `select r.id from unnest($1::text[]) as r (id)
            where exists (select from waiting w where w.route_id = r.id and w.release_at <= now())`,
    values: [routeIds],
  })
  return result.rows.map((row) => row.id)
}

/**
 * Removes steps that were released or are not needed any more. A row of a later step of the same message stays, and so
 * does one that was held again since it was read: its route may have returned it before the releaser gets here.
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

interface WaitingRow extends StepKey {
  readonly releaseAt: Date
  readonly accountId: number
  readonly parts: number
  readonly lane: Lane
  readonly tries: number
  readonly reason: WaitReason
  readonly rule: string | null
  readonly routeReason: string | null
  readonly createdAt: Date
  readonly to: string | null
  readonly flow: readonly Step[] | null
  readonly sealed: Buffer | null
  readonly dueAt: Date | null
}

const stepColumns = `w.msg_key as "msgKey", w.step, w.try, w.account_id as "accountId", w.parts, w.lane, w.tries, w.reason, w.rule,
                 w.route_reason as "routeReason", w.created_at as "createdAt", w.release_at as "releaseAt", m.recipient as to, m.flow, m.sealed,
                 f.due_at as "dueAt"`
// Without an in-flight row of the same step and try the message has moved on, and there is nothing to release.
const joins = `left join in_flight f on f.msg_key = any (array[w.msg_key]) and f.step = w.step and f.try = w.try
               left join messages m on m.msg_key = any (array[f.msg_key])`

async function toWaitingSteps(rows: readonly WaitingRow[]): Promise<WaitingStep[]> {
  const contents = await readContents(rows)
  return rows.map((row) => toWaitingStep(row, contents.get(row.msgKey)))
}

function toWaitingStep(row: WaitingRow, content: RowContent | undefined): WaitingStep {
  const { msgKey, step, accountId, parts, lane } = row
  return {
    msgKey,
    step,
    try: row.try,
    accountId,
    parts,
    lane,
    releaseAt: row.releaseAt,
    job: toJob(row, content),
  }
}

/** Null also for an encrypted content that cannot be read any more: the message ends at its deadline. */
function toJob(row: WaitingRow, content: RowContent | undefined): RouteJob | null {
  if (row.to === null || row.flow === null || row.dueAt === null) return null
  if (row.sealed !== null && content === undefined) return null
  return {
    v: 1,
    msgKey: row.msgKey,
    accountId: row.accountId,
    step: row.step,
    try: row.try,
    to: content?.to ?? row.to,
    // Extracted here: PostgreSQL cannot access JSON that contains U+0000.
    content: (content?.steps ?? row.flow)[row.step - 1]!,
    dueAt: row.dueAt.getTime(),
    ...(row.routeReason === null ? {} : { why: row.routeReason }),
    ...(content === undefined ? {} : { sealed: content.sealed }),
    ...(row.tries === 0 ? {} : { tries: row.tries }),
    ...(row.reason === 'owed'
      ? {}
      : { heldWhy: whyHeld(row), heldAt: row.createdAt.getTime(), releasedAt: clock.now() }),
  }
}

/** As it is recorded with the attempt: `rule:<id>`, or the reason. */
export function whyHeld({ reason, rule }: { readonly reason: string; readonly rule: string | null }): string {
  return reason === 'rule' ? `rule:${rule ?? ''}` : reason
}
