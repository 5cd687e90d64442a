/** Reads all rows of one message in one snapshot, without the content: only the channels of its steps. */
import type { Cause } from '../../channels/cause.ts'
import type { ChannelName, Step } from '../../channels/channel.ts'
import { readContents, type SealedRow } from '../../jobs/sealed.ts'
import { inTransaction, type Database } from '../../platform/database/database.ts'
import type { StoredStepResult } from '../messages/close.ts'
import { generatedIdPrefix } from '../attempts/identifiers.ts'
import { heldSql } from '../waiting/suspended.ts'
import { scheduledSql } from '../waiting/waiting-step.ts'

export interface TimelineMessage {
  readonly accountId: number
  readonly clientId: string | null
  readonly recipient: string
  readonly channels: readonly ChannelName[]
  readonly hasRef: boolean
  readonly acceptedAt: Date
}

export interface TimelineOpenStep {
  readonly step: number
  readonly try: number
  readonly state: 'unclaimed' | 'claimed'
  readonly dueAt: Date
  readonly results: readonly StoredStepResult[] | null
}

export interface TimelineWaiting {
  readonly step: number
  readonly try: number
  readonly routeId: string
  readonly lane: string
  readonly reason: string
  /** The trust rule that holds it, if `reason` is `rule`. */
  readonly rule: string | null
  readonly releaseAt: Date
  readonly createdAt: Date
  /** Whether it waits for the time that its client set, even if something else holds it as well. */
  readonly scheduled: boolean
  /** Whether only an operator's decision releases it before its deadline. */
  readonly awaitsDecision: boolean
}

export interface TimelineAttempt {
  readonly step: number
  readonly try: number
  readonly part: number
  readonly parts: number
  readonly routeId: string
  readonly routeReason: string | null
  readonly heldReason: string | null
  readonly heldMs: number | null
  readonly outcome: 'accepted' | 'refused' | 'unknown'
  readonly outcomeCode: string | null
  readonly carrierId: string | null
  readonly submittedAt: Date
  readonly result: 'delivered' | 'failed' | null
  readonly cause: Cause | null
  readonly receiptCode: string | null
  readonly resultAt: Date | null
  readonly receivedAt: Date | null
  readonly receipts: number
  readonly late: boolean
  readonly deliveredTwice: boolean
}

export interface TimelineReport {
  readonly step: number
  readonly code: string
  readonly text: string
  readonly reportedAt: Date
  readonly closedAt: Date
}

export interface TimelineParkedJob {
  readonly id: number
  readonly stage: string
  readonly reason: string | null
  readonly parkedAt: Date
}

export interface TimelineRows {
  readonly msgKey: string
  /** `null` if it was never recorded or is past retention. */
  readonly message: TimelineMessage | null
  readonly open: TimelineOpenStep | null
  readonly waiting: readonly TimelineWaiting[]
  readonly attempts: readonly TimelineAttempt[]
  readonly reports: readonly TimelineReport[]
  readonly parked: readonly TimelineParkedJob[]
}

export function readTimeline(database: Database, msgKey: string): Promise<TimelineRows> {
  return inTransaction(database, async (transaction) => {
    await transaction.query('set transaction isolation level repeatable read, read only')
    const rows = async <Row extends object>(text: string): Promise<Row[]> =>
      (await transaction.query<Row>(text, [msgKey])).rows
    const [message] = await rows<StoredMessage>(
      `select m.account_id as "accountId", a.client_id as "clientId", m.recipient, m.flow, m.sealed, m.msg_key as "msgKey", m.ref is not null as "hasRef",
              m.accepted_at as "acceptedAt"
         from messages m left join accounts a on a.id = m.account_id where m.msg_key = $1`,
    )
    const [open] = await rows<TimelineOpenStep>(
      'select step, try, state, due_at as "dueAt", results from in_flight where msg_key = $1',
    )
    return {
      msgKey,
      message: message === undefined ? null : await withoutContent(message),
      open: open ?? null,
      waiting: await rows<TimelineWaiting>(
        `select step, try, route_id as "routeId", lane, reason, rule, release_at as "releaseAt", created_at as "createdAt",
                ${scheduledSql} as scheduled, ${heldSql} is true as "awaitsDecision"
           from waiting w where msg_key = $1`,
      ),
      attempts: await rows<TimelineAttempt>(
        `select step, try, part, parts, route_id as "routeId", route_reason as "routeReason", held_reason as "heldReason",
                held_ms as "heldMs", outcome, outcome_code as "outcomeCode",
                case when carrier_id not like '${generatedIdPrefix}%' then carrier_id end as "carrierId",
                submitted_at as "submittedAt", result, cause, receipt_code as "receiptCode", result_at as "resultAt",
                received_at as "receivedAt", receipts, late,
                delivered_twice as "deliveredTwice"
           from attempts where msg_key = $1 order by step, try, part`,
      ),
      reports: await rows<TimelineReport>(
        `select step, report_code as code, report_text as text, reported_at as "reportedAt", created_at as "closedAt"
           from reports where msg_key = $1 order by step`,
      ),
      parked: await rows<TimelineParkedJob>(
        'select id, stage, reason, parked_at as "parkedAt" from parked where msg_key = $1 order by id',
      ),
    }
  })
}

interface StoredMessage extends Omit<TimelineMessage, 'channels'>, SealedRow {
  readonly flow: readonly Step[]
}

async function withoutContent({ flow, sealed, msgKey, ...row }: StoredMessage): Promise<TimelineMessage> {
  const content = (await readContents([{ msgKey, sealed }])).get(msgKey)
  return { ...row, recipient: content?.to ?? row.recipient, channels: flow.map(({ channel }) => channel) }
}
