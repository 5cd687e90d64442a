/**
 * Closes messages: removes the in-flight row and writes the reports, the ledger entry, the usage, the traffic
 * record and the outcome of its batch in one transaction. A message without an in-flight row was closed before, so nothing is
 * closed twice.
 */
import type { Cause } from '../../channels/cause.ts'
import type { ChannelName } from '../../channels/channel.ts'
import { unknownCarrier } from '../../channels/mobile-carriers.ts'
import { channels } from '../../channels/registry.ts'
import { appendOutcomes, type BatchOutcome } from '../batches/outcomes.ts'
import { appendToLedger, countByDay } from '../ledger/queries.ts'
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import { sendWithCommit, type Queryable } from '../../platform/database/database.ts'
import { insertReports, type NewReport } from '../reports/queries.ts'
import { insertTraffic, type TrafficRecord } from '../traffic/queries.ts'
import { countUsage, type ClosedStep } from '../usage/count.ts'
import { appendUsage } from '../usage/queries.ts'
import type { StepKey } from '../../jobs/step-key.ts'

export interface EndedStep extends StepKey {
  readonly cause: Cause
  /** A report code that is more specific than the cause. */
  readonly reportCode?: string | undefined
  readonly parts: number
  /** The recipient's mobile carrier, if it is known. */
  readonly carrier?: string | undefined
  /** The carrier that the number was ported to. */
  readonly portedTo?: string | undefined
  /**
   * Set if the step may have been delivered: its submission or its receipt left that open (`unknown`), or no
   * receipt arrived by its deadline (`timeout`).
   */
  readonly uncertain?: 'unknown' | 'timeout' | undefined
  /** Whether the recipient of a brand message was a friend of the channel, if the carrier reports it. */
  readonly userType?: 'F' | 'N' | undefined
  /** When it was submitted to the carrier; if it was not, when it ended. */
  readonly sentAt: Date
  readonly at: Date
  /** Requires this state for the step to end; any state if absent. */
  readonly state?: 'unclaimed' | 'claimed' | undefined
  /** Whether the message ends with this step, whatever steps would follow. */
  readonly last?: boolean | undefined
}

/** The part of an ended step that is reported. It is stored as JSON with the message until the message closes. */
export interface StepResult {
  readonly step: number
  readonly channel: ChannelName
  readonly msgType: string
  readonly cause: Cause
  readonly reportCode?: string | undefined
  readonly parts: number
  readonly carrier?: string | undefined
  readonly userType?: 'F' | 'N' | undefined
  readonly sentAt: Date
  readonly at: Date
}

/** A result as it is read from its JSON: its times are texts. */
export interface StoredStepResult extends Omit<StepResult, 'sentAt' | 'at'> {
  readonly sentAt: string
  readonly at: string
}

export function toStepResult(ended: EndedStep, channel: ChannelName, msgType: string): StepResult {
  const { step, cause, reportCode, parts, carrier, userType, sentAt, at } = ended
  return { step, channel, msgType, cause, reportCode, parts, carrier, userType, sentAt, at }
}

function fromStored(stored: StoredStepResult): StepResult {
  return { ...stored, sentAt: new Date(stored.sentAt), at: new Date(stored.at) }
}

interface ClosedRow {
  readonly n: number
  readonly msg_key: string
  readonly account_id: number
  readonly channel: ChannelName
  readonly msg_type: string
  readonly ref: string | null
  readonly results: readonly StoredStepResult[] | null
  readonly payment_code: string | null
  /** `null` if no traffic record is written. */
  readonly recipient_index: Buffer | null
  /** Sender of each step, if a traffic record is written. */
  readonly senders: readonly (string | null)[] | null
  readonly batch_id: number | null
}

interface ReportedStep {
  readonly row: ClosedRow
  readonly result: StepResult
  readonly last: boolean
}

export interface ClosedMessage {
  readonly step: EndedStep
  /** Report code of the message's outcome. */
  readonly code: string
}

/** Returns the messages closed now, not those closed earlier. */
export async function closeMessages(
  transaction: Queryable,
  steps: readonly EndedStep[],
): Promise<ClosedMessage[]> {
  const removed = await queryBulk<ClosedRow>(transaction, {
    name: 'close-messages',
    text: `delete from in_flight f
            using unnest($1::int[], $2::text[], $3::smallint[], $4::smallint[], $5::text[], $6::boolean[])
              as c (n, msg_key, step, try, state, last)
            where f.msg_key = any (array[c.msg_key]) and f.step = c.step and f.try = c.try
              -- With a required state, only the last step closes its message: \`startNextSteps\` can have missed an earlier
              -- step because it had another state, which has changed since.
              and (c.state is null or f.state = c.state and (f.step = f.steps or c.last))
           returning c.n, f.msg_key, f.account_id, f.channel, f.msg_type, f.ref, f.results, f.payment_code, f.recipient_index, f.senders,
                     f.batch_id`,
    columns: columns(steps, (entry, n) => [
      n,
      entry.msgKey,
      entry.step,
      entry.try,
      entry.state,
      entry.last === true,
    ]),
  })
  if (removed.length === 0) return []
  const reported = removed.flatMap((row): ReportedStep[] => [
    ...(row.results ?? []).map((stored) => ({ row, result: fromStored(stored), last: false })),
    { row, result: toStepResult(steps[row.n]!, row.channel, row.msg_type), last: true },
  ])
  const closed = removed.map((row) => ({ msgKey: row.msg_key, accountId: row.account_id }))
  const counts = [
    appendToLedger(transaction, 'closed', countByDay(closed)),
    appendUsage(transaction, countUsage(reported.map(toClosedStep))),
    insertTraffic(transaction, reported.flatMap(toTraffic)),
    appendOutcomes(transaction, reported.flatMap(toOutcome)),
  ]
  await Promise.all([
    insertReports(transaction, reported.map(toReport)),
    sendWithCommit(transaction, ...counts),
  ])
  return reported
    .filter(({ last }) => last)
    .map(({ row, result }) => ({ step: steps[row.n]!, code: toReportCode(result).code }))
}

function toClosedStep({ row, result, last }: ReportedStep): ClosedStep {
  return {
    msgKey: row.msg_key,
    accountId: row.account_id,
    paymentCode: row.payment_code,
    channel: result.channel,
    cause: result.cause,
    parts: result.parts,
    carrier: result.carrier ?? unknownCarrier,
    last,
  }
}

function toOutcome({ row, result, last }: ReportedStep): BatchOutcome[] {
  if (!last || row.batch_id === null) return []
  return [{ batchId: row.batch_id, reportCode: toReportCode(result).code }]
}

function toTraffic({ row, result, last }: ReportedStep): TrafficRecord[] {
  if (!last || row.recipient_index === null) return []
  return [
    {
      msgKey: row.msg_key,
      accountId: row.account_id,
      recipientIndex: row.recipient_index,
      sender: row.senders?.[result.step - 1] ?? null,
      channel: result.channel,
      reportCode: toReportCode(result).code,
      sentAt: result.sentAt,
    },
  ]
}

function toReport({ row, result }: ReportedStep): NewReport {
  const { code, text } = toReportCode(result)
  return {
    msgKey: row.msg_key,
    step: result.step,
    accountId: row.account_id,
    serviceType: channels[result.channel].serviceType,
    msgType: result.msgType,
    sentAt: result.sentAt,
    reportedAt: result.at,
    reportCode: code,
    reportText: text,
    carrier: result.carrier ?? unknownCarrier,
    parts: result.parts,
    ref: row.ref,
    userType: result.userType ?? null,
  }
}

function toReportCode({ channel, cause, reportCode }: StepResult) {
  return channels[channel].reportCode(cause, reportCode)
}
