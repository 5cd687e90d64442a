/**
 * What the end of a step means: a failed one starts the next of its flow, anything else closes the message. Starting
 * the next step and noting that its job is owed to its route commit together.
 */
import type { ChannelName, Step } from '../channels/channel.ts'
import { channels } from '../channels/registry.ts'
import type { Queryable } from '../platform/database.ts'
import { stepId, type StepKey } from './claim.ts'
import { closeMessages, toResult, type Conclusion, type StepResult } from './close.ts'
import { holdSteps } from './waiting.ts'

/** Whoever starts a step releases it at once; somebody else does when it has not been done by then. */
const owedMs = 3_000

export interface Concluded {
  /** Report codes of the messages that closed. */
  readonly codes: readonly string[]
  /** Keys of the messages whose next step has started and must be released. */
  readonly advanced: readonly string[]
  /** Steps that ended here. Whoever finds a step missing comes after somebody else who has ended it. */
  readonly ended: ReadonlySet<string>
}

export async function concludeSteps(
  transaction: Queryable,
  conclusions: readonly Conclusion[],
  stepTtlSeconds: number,
): Promise<Concluded> {
  const failed = conclusions.filter(({ cause }) => cause !== 'delivered')
  const advanced = failed.length === 0 ? [] : await advance(transaction, failed, stepTtlSeconds)
  const gone = new Set(advanced.map(({ msgKey }) => msgKey))
  const closed = await closeMessages(
    transaction,
    conclusions.filter(({ msgKey }) => !gone.has(msgKey)),
  )
  return {
    codes: closed.map(({ code }) => code),
    advanced: [...gone],
    ended: new Set([...advanced, ...closed.map(({ step }) => step)].map(stepId)),
  }
}

interface FlowRow {
  readonly n: number
  readonly msgKey: string
  readonly accountId: number
  readonly step: number
  readonly channel: ChannelName
  readonly msgType: string
  readonly results: readonly StepResult[] | null
  readonly flow: readonly Step[]
}

async function advance(
  transaction: Queryable,
  failed: readonly Conclusion[],
  stepTtlSeconds: number,
): Promise<StepKey[]> {
  const rows = await lockUnfinished(transaction, failed)
  if (rows.length === 0) return []
  const now = Date.now()
  const next = rows.map((row) => row.flow[row.step]!)
  const results = rows.map((row) => [
    ...(row.results ?? []),
    toResult(failed[row.n]!, row.channel, row.msgType),
  ])
  await transaction.query({
    name: 'advance-steps',
    text: `update in_flight f
              set step = f.step + 1, try = 1, state = 'released', channel = a.channel, msg_type = a.msg_type,
                  due_at = a.due_at, results = a.results
             from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::json[])
               as a (msg_key, channel, msg_type, due_at, results)
            where f.msg_key = any (array[a.msg_key])`,
    values: [
      rows.map((row) => row.msgKey),
      next.map((step) => step.channel),
      next.map((step) => channels[step.channel].msgType(step)),
      next.map((step) => new Date(now + (step.ttlSeconds ?? stepTtlSeconds) * 1000)),
      results.map((list) => JSON.stringify(list)),
    ],
  })
  await holdSteps(
    transaction,
    rows.map((row) => ({
      msgKey: row.msgKey,
      step: row.step + 1,
      try: 1,
      accountId: row.accountId,
      routeId: '',
      lane: 'normal',
      parts: 1,
      tries: 0,
      releaseAt: new Date(now + owedMs),
      why: 'owed',
    })),
  )
  return rows.map((row) => failed[row.n]!)
}

/** Of the failed steps, those that are current and have another after them. */
async function lockUnfinished(transaction: Queryable, failed: readonly Conclusion[]): Promise<FlowRow[]> {
  const result = await transaction.query<FlowRow>({
    name: 'lock-unfinished',
    text: `select c.n, f.msg_key as "msgKey", f.account_id as "accountId", f.step, f.channel, f.msg_type as "msgType", f.results, m.flow
             from unnest($1::int[], $2::text[], $3::smallint[], $4::smallint[]) as c (n, msg_key, step, try)
             join in_flight f on f.msg_key = any (array[c.msg_key]) and f.step = c.step and f.try = c.try and f.step < f.steps
             join messages m on m.msg_key = any (array[f.msg_key])
            order by c.msg_key collate "C" for update of f`,
    values: [
      failed.map((_, n) => n),
      failed.map((entry) => entry.msgKey),
      failed.map((entry) => entry.step),
      failed.map((entry) => entry.try),
    ],
  })
  return result.rows
}
