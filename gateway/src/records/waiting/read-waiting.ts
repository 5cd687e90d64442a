/** Reads waiting steps with the jobs that are published when they are released. */
import type { Step } from '../../channels/channel.ts'
import type { Lane } from '../../channels/lane.ts'
import type { StepJob } from '../../jobs/jobs.ts'
import { readContents, type RowContent } from '../../jobs/sealed.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { DueSteps } from './find-waiting.ts'
import { timedSql, type WaitingStep, type WaitReason, holdReason } from './waiting-step.ts'

/**
 * Returns the oldest due steps of each account in `shares`, at most one for each part of its share, so together they can
 * have more parts than that. A step that ends by its account's time in `endedBy` has no job.
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
                  and ($6 or not ${timedSql})
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

/** The end of a page of an account's due steps. */
export interface DueStepPosition {
  /** In PostgreSQL's notation, because JavaScript dates have no microseconds. */
  readonly releaseAt: string
  readonly msgKey: string
}

export const firstPage: DueStepPosition = { releaseAt: '-infinity', msgKey: '' }

export interface PagedStep extends WaitingStep {
  readonly position: DueStepPosition
}

/**
 * Returns up to `perAccount` due steps of each account after its position, in the order of their positions.
 */
export async function readDuePage(
  database: Queryable,
  routeId: string,
  lane: Lane,
  after: ReadonlyMap<number, DueStepPosition>,
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

/** Returns the waiting steps of these messages, on any route. */
export async function readWaiting(database: Queryable, keys: readonly string[]): Promise<WaitingStep[]> {
  const result = await database.query<WaitingRow>({
    name: 'read-waiting',
    text: `select ${stepColumns} from waiting w ${joins} where w.msg_key = any($1)`,
    values: [keys],
  })
  return toWaitingSteps(result.rows)
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
  readonly batch: number | null
}

const stepColumns = `w.msg_key as "msgKey", w.step, w.try, w.account_id as "accountId", w.parts, w.lane, w.tries, w.reason, w.rule,
                 w.route_reason as "routeReason", w.created_at as "createdAt", w.release_at as "releaseAt", m.recipient as to, m.flow, m.sealed,
                 f.due_at as "dueAt", w.batch_id as batch`
// Without an in-flight row of the same step and try the message has moved on, and there is nothing to
// release.
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
    isLast: (content?.steps ?? row.flow ?? []).length <= step,
    owedAt: row.reason === 'owed' ? row.createdAt.getTime() : undefined,
    job: toJob(row, content),
  }
}

/**
 * Returns null also for encrypted content that can no longer be decrypted: the message ends at its deadline.
 */
function toJob(row: WaitingRow, content: RowContent | undefined): StepJob | null {
  if (row.to === null || row.flow === null || row.dueAt === null) return null
  if (row.sealed !== null && content === undefined) return null
  return {
    v: 1,
    msgKey: row.msgKey,
    accountId: row.accountId,
    step: row.step,
    try: row.try,
    to: content?.to ?? row.to,
    // Extracted here because PostgreSQL cannot access JSON that contains U+0000.
    content: (content?.steps ?? row.flow)[row.step - 1]!,
    dueAt: row.dueAt.getTime(),
    ...(row.batch === null ? {} : { batch: row.batch }),
    ...(row.routeReason === null ? {} : { why: row.routeReason }),
    ...(content === undefined ? {} : { sealed: content.sealed }),
    ...(row.tries === 0 ? {} : { tries: row.tries }),
    ...(row.reason === 'owed'
      ? {}
      : { heldWhy: holdReason(row), heldAt: row.createdAt.getTime(), releasedAt: clock.now() }),
  }
}
