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
import { insertTraffic, type TrafficRecord } from '../traffic/queries.ts'
import { countUsage, type ClosedStep } from '../usage/count.ts'
import { appendUsage } from '../usage/queries.ts'
import type { StepKey } from '../../jobs/step-key.ts'

/** How a step ended. */
export interface EndedStep extends StepKey {
  readonly cause: Cause
  /** A report code that says more than the cause. */
  readonly reportCode?: string | undefined
  readonly parts: number
  /** The recipient's mobile carrier, when it is known. */
  readonly carrier?: string | undefined
  /** The carrier that the number was ported to. */
  readonly portedTo?: string | undefined
  /**
   * It may have been delivered: the answer to its submission or its receipt left that open (`unknown`), or no receipt came by
   * its deadline (`timeout`).
   */
  readonly uncertain?: 'unknown' | 'timeout' | undefined
  /** Brand message: whether the recipient was a friend of the channel, when the carrier says so. */
  readonly userType?: 'F' | 'N' | undefined
  /** When it was submitted to the carrier; if it never was, when it ended. */
  readonly sentAt: Date
  readonly at: Date
  /** It ends only in this state; in any when absent. */
  readonly state?: 'unclaimed' | 'claimed' | undefined
  /** The message ends with it, whatever steps would follow. */
  readonly last?: boolean | undefined
}

/** How an earlier step ended, stored with the message until it closes. Times are ISO strings, because it is JSON. */
export interface StepResult {
  readonly step: number
  readonly channel: ChannelName
  readonly msgType: string
  readonly cause: Cause
  readonly reportCode?: string
  readonly parts: number
  readonly carrier?: string
  readonly userType?: 'F' | 'N'
  readonly sentAt: string
  readonly at: string
}

export function toResult(ended: EndedStep, channel: ChannelName, msgType: string): StepResult {
  const { step, cause, reportCode, parts, carrier, userType, sentAt, at } = ended
  return {
    ...{ step, channel, msgType, cause, parts },
    ...(reportCode === undefined ? {} : { reportCode }),
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
  /** Set when a traffic record is written. */
  readonly recipient_index: Buffer | null
  /** Of each step, with the former. */
  readonly senders: readonly (string | null)[] | null
}

/** How a step of a closed message ended: an earlier one, or the last. */
interface ReportedStep {
  readonly row: ClosedRow
  readonly last: boolean
  readonly step: number
  readonly channel: ChannelName
  readonly msgType: string
  readonly cause: Cause
  readonly reportCode: string | undefined
  readonly parts: number
  readonly carrier: string
  readonly userType: 'F' | 'N' | null
  readonly sentAt: Date
  readonly at: Date
}

export interface Closed {
  readonly step: EndedStep
  /** The report code of the message's outcome. */
  readonly code: string
}

/** Returns the messages closed now, not those closed earlier. */
export async function closeMessages(transaction: Queryable, steps: readonly EndedStep[]): Promise<Closed[]> {
  const removed = await queryBulk<ClosedRow>(transaction, {
    name: 'close-messages',
    text: `delete from in_flight f
            using unnest($1::int[], $2::text[], $3::smallint[], $4::smallint[], $5::text[], $6::boolean[])
              as c (n, msg_key, step, try, state, last)
            where f.msg_key = any (array[c.msg_key]) and f.step = c.step and f.try = c.try
              -- Only the last: a step whose state has changed since \`startNextSteps\` did not find it must not close the message.
              and (c.state is null or f.state = c.state and (f.step = f.steps or c.last))
           returning c.n, f.msg_key, f.account_id, f.channel, f.msg_type, f.ref, f.results, f.payment_code, f.recipient_index, f.senders`,
    columns: columns(steps, (entry, n) => [
      ...[n, entry.msgKey, entry.step, entry.try, entry.state, entry.last === true],
    ]),
  })
  if (removed.length === 0) return []
  const reported: ReportedStep[] = []
  for (const row of removed) {
    for (const result of row.results ?? []) reported.push(fromResult(row, result))
    reported.push(fromEnded(row, steps[row.n]!))
  }
  await appendToLedger(
    transaction,
    'closed',
    countByDay(removed.map((row) => ({ msgKey: row.msg_key, accountId: row.account_id }))),
  )
  await appendUsage(transaction, countUsage(reported.map(toClosedStep)))
  await insertReports(transaction, reported.map(toReport))
  await insertTraffic(transaction, reported.flatMap(toTraffic))
  return removed.map(({ n, channel }) => ({
    step: steps[n]!,
    code: channels[channel].reportCode(steps[n]!.cause, steps[n]!.reportCode).code,
  }))
}

function fromResult(row: ClosedRow, result: StepResult): ReportedStep {
  const {
    step,
    channel,
    msgType,
    cause,
    reportCode,
    parts,
    carrier = unknownCarrier,
    userType = null,
  } = result
  const [sentAt, at] = [new Date(result.sentAt), new Date(result.at)]
  return { row, last: false, step, channel, msgType, cause, reportCode, parts, carrier, userType, sentAt, at }
}

function fromEnded(row: ClosedRow, ended: EndedStep): ReportedStep {
  const { channel, msg_type: msgType } = row
  const { step, cause, reportCode, parts, carrier = unknownCarrier, userType = null, sentAt, at } = ended
  return { row, last: true, step, channel, msgType, cause, reportCode, parts, carrier, userType, sentAt, at }
}

function toClosedStep({ row, channel, cause, parts, last, carrier }: ReportedStep): ClosedStep {
  return {
    ...{ msgKey: row.msg_key, accountId: row.account_id, paymentCode: row.payment_code },
    ...{ channel, cause, parts, last, carrier },
  }
}

function toTraffic({ row, last, step, channel, cause, reportCode, sentAt }: ReportedStep): TrafficRecord[] {
  if (!last || row.recipient_index === null) return []
  return [
    {
      ...{
        msgKey: row.msg_key,
        accountId: row.account_id,
        recipientIndex: row.recipient_index,
        sender: row.senders?.[step - 1] ?? null,
        channel,
        sentAt,
      },
      reportCode: channels[channel].reportCode(cause, reportCode).code,
    },
  ]
}

function toReport(step: ReportedStep): NewReport {
  const { row, parts, carrier, userType } = step
  const channel = channels[step.channel]
  const { code, text } = channel.reportCode(step.cause, step.reportCode)
  return {
    msgKey: row.msg_key,
    step: step.step,
    accountId: row.account_id,
    serviceType: channel.serviceType,
    msgType: step.msgType,
    sentAt: step.sentAt,
    reportedAt: step.at,
    reportCode: code,
    reportText: text,
    carrier,
    parts,
    ref: row.ref,
    userType,
  }
}
