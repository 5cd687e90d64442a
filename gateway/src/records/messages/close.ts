/**
 * Closes messages: removes the in-flight row and writes the reports, the ledger entry and the usage in one transaction. A
 * message without an in-flight row was closed before, so nothing is closed twice.
 */
import type { Cause } from '../../channels/cause.ts'
import type { ChannelName } from '../../channels/channel.ts'
import { unknownCarrier } from '../../channels/mobile-carriers.ts'
import { channels } from '../../channels/registry.ts'
import { appendToLedger, countByDay } from '../ledger/queries.ts'
import { columns, queryBulk } from '../../platform/bulk.ts'
import type { Queryable } from '../../platform/database.ts'
import { insertReports, type NewReport } from '../reports/queries.ts'
import { countUsage, type ClosedStep } from '../usage/count.ts'
import { appendUsage } from '../usage/queries.ts'
import type { StepKey } from '../../jobs/step-key.ts'

/** How a step ended. */
export interface EndedStep extends StepKey {
  readonly cause: Cause
  readonly parts: number
  /** The recipient's mobile carrier, when it is known. */
  readonly carrier?: string | undefined
  /** Brand message: whether the recipient was a friend of the channel, when the carrier says so. */
  readonly userType?: 'F' | 'N' | undefined
  /** When it was submitted to the carrier; if it never was, when it ended. */
  readonly sentAt: Date
  readonly at: Date
  /** It ends only in this state; in any when absent. */
  readonly state?: 'released' | 'submitting' | undefined
}

/** How an earlier step ended, stored with the message until it closes. Times are ISO strings, because it is JSON. */
export interface StepResult {
  readonly step: number
  readonly channel: ChannelName
  readonly msgType: string
  readonly cause: Cause
  readonly parts: number
  readonly carrier?: string
  readonly userType?: 'F' | 'N'
  readonly sentAt: string
  readonly at: string
}

export function toResult(ended: EndedStep, channel: ChannelName, msgType: string): StepResult {
  const { step, cause, parts, carrier, userType, sentAt, at } = ended
  return {
    ...{ step, channel, msgType, cause, parts },
    ...(carrier === undefined ? {} : { carrier }),
    ...(userType === undefined ? {} : { userType }),
    ...{ sentAt: sentAt.toISOString(), at: at.toISOString() },
  }
}

interface ClosedRow {
  readonly n: number
  readonly msg_key: string
  readonly account_id: number
  readonly channel: ChannelName
  readonly msg_type: string
  readonly ref: string | null
  readonly results: readonly StepResult[] | null
  readonly payment_code: string | null
}

export interface Closed {
  readonly step: StepKey
  /** The report code of the message's outcome. */
  readonly code: string
}

/** Returns the messages closed now, not those closed earlier. */
export async function closeMessages(transaction: Queryable, steps: readonly EndedStep[]): Promise<Closed[]> {
  const removed = await queryBulk<ClosedRow>(transaction, {
    name: 'close-messages',
    text: `delete from in_flight f
            using unnest($1::int[], $2::text[], $3::smallint[], $4::smallint[], $5::text[]) as c (n, msg_key, step, try, state)
            where f.msg_key = any (array[c.msg_key]) and f.step = c.step and f.try = c.try
              -- Only the last: a step whose state has changed since \`startNextSteps\` did not find it must not close the message.
              and (c.state is null or f.state = c.state and f.step = f.steps)
           returning c.n, f.msg_key, f.account_id, f.channel, f.msg_type, f.ref, f.results, f.payment_code`,
    columns: columns(steps, (entry, n) => [n, entry.msgKey, entry.step, entry.try, entry.state]),
  })
  if (removed.length === 0) return []
  const outcomes = removed.map((row) => toResult(steps[row.n]!, row.channel, row.msg_type))
  const ended = removed.flatMap((row, index) =>
    [...(row.results ?? []), outcomes[index]!].map((result) => ({
      row,
      result,
      last: result === outcomes[index],
    })),
  )
  await appendToLedger(
    transaction,
    'closed',
    countByDay(removed.map((row) => ({ msgKey: row.msg_key, accountId: row.account_id }))),
  )
  await appendUsage(
    transaction,
    countUsage(ended.map(({ row, result, last }) => toClosedStep(row, result, last))),
  )
  await insertReports(
    transaction,
    ended.map(({ row, result }) => toReport(row, result)),
  )
  return outcomes.map(({ channel, cause }, index) => ({
    step: steps[removed[index]!.n]!,
    code: channels[channel].reportCode(cause).code,
  }))
}

function toClosedStep(row: ClosedRow, result: StepResult, last: boolean): ClosedStep {
  const { channel, cause, parts, carrier = unknownCarrier } = result
  return {
    ...{ msgKey: row.msg_key, accountId: row.account_id, paymentCode: row.payment_code },
    ...{ channel, cause, parts, last, carrier },
  }
}

function toReport(row: ClosedRow, result: StepResult): NewReport {
  const channel = channels[result.channel]
  const { code, text } = channel.reportCode(result.cause)
  return {
    msgKey: row.msg_key,
    step: result.step,
    accountId: row.account_id,
    serviceType: channel.serviceType,
    msgType: result.msgType,
    sentAt: new Date(result.sentAt),
    reportedAt: new Date(result.at),
    reportCode: code,
    reportText: text,
    carrier: result.carrier ?? unknownCarrier,
    parts: result.parts,
    ref: row.ref,
    userType: result.userType ?? null,
  }
}
