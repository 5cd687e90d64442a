/**
 * Moves an open message to the next step of its flow, or to another try of the same step. The caller writes the started
 * step to the outbox in the same transaction (`pipeline/scheduling/outbox.ts`).
 */
import type { ChannelName, Step } from '../../channels/channel.ts'
import type { LaneSetting } from '../../channels/lane.ts'
import { readContents } from '../../jobs/sealed.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { clock } from '../../platform/time/clock.ts'
import { isCancelledSql } from '../batches/transitions.ts'
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { toStepResult, type EndedStep, type StoredStepResult } from './close.ts'
import { getStepMsgType } from './step-type.ts'

export interface StartedStep extends StepKey {
  readonly accountId: number
  /** The account's own lane, or `bulk` for a message of a batch; `null` if the account has none. */
  readonly accountLane: LaneSetting | null
  /** `null` if its message is no longer stored. */
  readonly content: Step | null
}

interface FlowRow {
  readonly n: number
  readonly msgKey: string
  readonly accountId: number
  readonly accountLane: LaneSetting | null
  readonly step: number
  readonly channel: ChannelName
  readonly msgType: string
  readonly results: readonly StoredStepResult[] | null
  readonly flow: readonly Step[]
  /** Whether its account is blocked and accepted messages end, or its batch is cancelled. */
  readonly isStopped: boolean
  readonly sealed: Buffer | null
}

/** Lane of the account `a`; messages of batches are always bulk. */
const laneSql = `case when f.batch_id is null then a.lane else 'bulk' end`

export interface AdvancedSteps {
  /** The failed steps whose next step was started. */
  readonly ended: readonly EndedStep[]
  /** Those next steps. */
  readonly started: readonly StartedStep[]
  /**
   * Failed steps of accounts whose block ends accepted messages, and of cancelled batches, locked: their messages end,
   * and no next step starts.
   */
  readonly stopped: readonly EndedStep[]
}

/**
 * Starts the next step of every message whose failed step is current and not the last of its flow, unless the
 * message is stopped, or the step may have been delivered and the account allows no next step in that case.
 */
export async function startNextSteps(
  transaction: Queryable,
  failed: readonly EndedStep[],
  stepTtlSeconds: number,
): Promise<AdvancedSteps> {
  const locked = await lockUnfinished(transaction, failed)
  const stopped = locked.filter(({ isStopped }) => isStopped).map(({ n }) => failed[n]!)
  const rows = stopped.length === 0 ? locked : locked.filter(({ isStopped }) => !isStopped)
  if (rows.length === 0) return { ended: [], started: [], stopped }
  const now = clock.now()
  await queryBulk(transaction, {
    name: 'advance-steps',
    text: `update in_flight f
              set step = f.step + 1, try = 1, state = 'unclaimed', channel = a.channel, msg_type = a.msg_type,
                  due_at = a.due_at, results = a.results
             from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::json[])
               as a (msg_key, channel, msg_type, due_at, results)
            where f.msg_key = any (array[a.msg_key])`,
    columns: columns(rows, (row) => {
      const next = row.flow[row.step]!
      const dueAt = new Date(now + (next.ttlSeconds ?? stepTtlSeconds) * 1000)
      const results = [...(row.results ?? []), toStepResult(failed[row.n]!, row.channel, row.msgType)]
      return [row.msgKey, next.channel, getStepMsgType(next), dueAt, JSON.stringify(results)]
    }),
  })
  return {
    stopped,
    ended: rows.map((row) => failed[row.n]!),
    started: rows.map(({ msgKey, accountId, accountLane, step, flow }) => ({
      msgKey,
      accountId,
      accountLane,
      step: step + 1,
      try: 1,
      content: flow[step]!,
    })),
  }
}

async function lockUnfinished(transaction: Queryable, failed: readonly EndedStep[]): Promise<FlowRow[]> {
  const rows = await queryBulk<FlowRow>(transaction, {
    name: 'lock-unfinished',
    text: `select c.n, f.msg_key as "msgKey", f.account_id as "accountId", f.step, f.channel, f.msg_type as "msgType", f.results, m.flow, m.sealed,
                  ${laneSql} as "accountLane", coalesce(a.blocked and a.blocked_backlog = 'close', false) or ${isCancelledSql('f')} as "isStopped"
             from unnest($1::int[], $2::text[], $3::smallint[], $4::smallint[], $5::text[], $6::text[]) as c (n, msg_key, step, try, state, uncertain)
             join in_flight f on f.msg_key = any (array[c.msg_key]) and f.step = c.step and f.try = c.try and f.step < f.steps
                             and f.state = coalesce(c.state, f.state)
             join messages m on m.msg_key = any (array[f.msg_key])
             left join accounts a on a.id = any (array[f.account_id])
            where case c.uncertain when 'unknown' then coalesce(a.uncertain_fallback, 'always') = 'always'
                                   when 'timeout' then a.uncertain_fallback is distinct from 'never'
                                   else true end
            order by c.msg_key collate "C" for update of f`,
    columns: columns(failed, (entry, n) => [
      n,
      entry.msgKey,
      entry.step,
      entry.try,
      entry.state,
      entry.uncertain,
    ]),
  })
  const contents = await readContents(rows)
  return contents.size === 0
    ? rows
    : rows.map((row) => ({ ...row, flow: contents.get(row.msgKey)?.steps ?? row.flow }))
}

export interface StartedTry extends StepKey {
  readonly dueAt: Date
}

/** A step that can be tried again, with the inputs of its route choice. */
export interface RetryableStep extends StartedTry {
  readonly accountId: number
  readonly channel: ChannelName
  /** `null` if its message is no longer stored, or cannot be read. */
  readonly to: string | null
  /** The route of its last submission. */
  readonly routeId: string | null
}

/** Starts another try of each step. The caller must have locked the rows. */
export async function startNextTries(
  transaction: Queryable,
  steps: readonly StartedTry[],
): Promise<StartedStep[]> {
  const started = await queryBulk<StartedStep & { readonly sealed: Buffer | null }>(transaction, {
    text: `update in_flight f set try = f.try + 1, state = 'unclaimed', due_at = r.due_at
       from unnest($1::text[], $2::smallint[], $3::smallint[], $4::timestamptz[]) as r (msg_key, step, try, due_at)
       left join messages m on m.msg_key = any (array[r.msg_key])
      where f.msg_key = any (array[r.msg_key]) and f.step = r.step and f.try = r.try
     returning f.msg_key as "msgKey", f.step, f.try, f.account_id as "accountId", m.flow -> (f.step - 1) as content, m.sealed,
               (select ${laneSql} from accounts a where a.id = f.account_id) as "accountLane"`,
    columns: columns(steps, (step) => [step.msgKey, step.step, step.try, step.dueAt]),
  })
  const contents = await readContents(started)
  return started.map(({ msgKey, accountId, accountLane, step, try: nth, content }) => ({
    msgKey,
    accountId,
    accountLane,
    step,
    try: nth,
    content: contents.get(msgKey)?.steps[step - 1] ?? content,
  }))
}

/** Locks those of the steps that can be tried again: they are in the required state and have time left. */
export async function lockRetryable(
  transaction: Queryable,
  steps: readonly EndedStep[],
  now: Date,
): Promise<RetryableStep[]> {
  const rows = await queryBulk<RetryableStep & { readonly sealed: Buffer | null }>(transaction, {
    text: `select f.msg_key as "msgKey", f.step, f.try, f.due_at as "dueAt", f.account_id as "accountId", f.channel,
                  m.recipient as to, m.sealed,
                  (select a.route_id from attempts a
                    where a.msg_key = any (array[f.msg_key]) and a.step = f.step and a.try = f.try limit 1) as "routeId"
             from unnest($1::text[], $2::smallint[], $3::smallint[], $4::text[], $5::timestamptz[]) as c (msg_key, step, try, state, now)
             join in_flight f on f.msg_key = any (array[c.msg_key]) and f.step = c.step and f.try = c.try
                             and f.state = coalesce(c.state, f.state) and f.due_at > c.now
             left join messages m on m.msg_key = any (array[f.msg_key])
            order by c.msg_key collate "C" for update of f`,
    columns: columns(steps, ({ msgKey, step, try: nth, state }) => [msgKey, step, nth, state, now]),
  })
  const contents = await readContents(rows)
  return rows.map(({ sealed, ...row }) => ({
    ...row,
    to: sealed === null ? row.to : (contents.get(row.msgKey)?.to ?? null),
  }))
}
