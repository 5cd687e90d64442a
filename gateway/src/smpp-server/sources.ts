/**
 * What a feed reads: the reports of messages that an account submitted over SMPP, as receipts, or its replies. The positions are
 * those of a consumer with a name that no client can use, so that they move with the account to another cell.
 */
import type { FormatTime } from '../contract/times.ts'
import { channels } from '../channels/registry.ts'
import type { Database } from '../platform/database.ts'
import { findContents } from '../records/messages/find-contents.ts'
import { replyConsumers } from '../records/replies/poll.ts'
import { readReplies } from '../records/replies/queries.ts'
import { seekReplies } from '../records/replies/seek.ts'
import { reportConsumers, smppConsumer } from '../records/reports/consumers.ts'
import { readReports, type NumberedReport } from '../records/reports/queries.ts'
import type { ReportWaiters } from '../records/reports/report-waiters.ts'
import { seekTime } from '../records/reports/seek.ts'
import { clock } from '../platform/clock.ts'
import type { FeedItem, FeedSource, Owed } from './feed-source.ts'
import { errorOf, isWanted, receiptBody, stateOf, type ReceiptContent } from './receipt.ts'
import { replyBody } from './reply-body.ts'
import { insertReceipts } from './stored-receipts.ts'
import { partId, readRef, type SubmitRef } from './submit-ref.ts'

/** As long as polling and webhooks have a report. */
const lifetimeMs = 3 * 86_400_000
const waitMs = 5_000
const firstRepeatSeconds = 60
const maxReceiptFailures = 3
const maxReplyFailures = 10
const giveUp = (): Promise<void> => Promise.resolve()

export interface SourceContext {
  readonly database: Database
  readonly formatTime: FormatTime
  readonly reportWaiters: ReportWaiters
  readonly replyWaiters: ReportWaiters
}

export function receiptSource(context: SourceContext, accountId: number): FeedSource {
  const { database, reportWaiters } = context
  return {
    // Without a position it may be owed a receipt of every report that is young enough.
    async position() {
      const known = await reportConsumers.position(database, accountId, smppConsumer)
      const oldest = clock.cutoff(lifetimeMs)
      return seekTime(database, accountId, known ?? 0, oldest)
    },
    async read(seq, limit) {
      const reports = await readReports(database, accountId, seq, limit)
      const submitted = reports.flatMap((report) => {
        const ref = readRef(report.ref)
        return ref === null ? [] : [{ report, ref }]
      })
      const wanted = submitted.filter(({ report, ref }) =>
        ref.registered.some((one) => isWanted(one, stateOf(report.reportCode))),
      )
      const addresses = await readAddresses(
        database,
        accountId,
        wanted.map(({ report }) => report.msgKey),
      )
      const owed = new Map(
        wanted.map(({ report, ref }) => [
          report.seq,
          owedOf(context, accountId, report, ref, addresses.get(report.msgKey) ?? null),
        ]),
      )
      return reports.map((report): FeedItem => ({ seq: report.seq, owed: owed.get(report.seq) ?? [] }))
    },
    wait: (seq, signal) => reportWaiters.wait(accountId, seq, waitMs, signal),
    save: (seq) => reportConsumers.force(database, accountId, smppConsumer, seq),
  }
}

function owedOf(
  { database, formatTime }: SourceContext,
  accountId: number,
  { msgKey, reportCode, sentAt, reportedAt, ref: text }: NumberedReport,
  ref: SubmitRef,
  addresses: ReceiptContent['addresses'],
): Owed[] {
  const state = stateOf(reportCode)
  return ref.registered.flatMap((registered, index) => {
    if (!isWanted(registered, state)) return []
    const messageId = partId(msgKey, index + 1)
    const receipt = { messageId, state, error: errorOf(reportCode), sentAt, doneAt: reportedAt }
    return [
      {
        body: receiptBody({ ...receipt, ref, addresses }, formatTime),
        store: () => insertReceipts(database, [{ ...receipt, accountId, ref: text! }], firstRepeatSeconds),
        maxFailures: maxReceiptFailures,
      },
    ]
  })
}

/** Sender and recipient by msgKey; without those that were erased. */
export async function readAddresses(
  database: Database,
  accountId: number,
  msgKeys: readonly string[],
): Promise<ReadonlyMap<string, NonNullable<ReceiptContent['addresses']>>> {
  if (msgKeys.length === 0) return new Map()
  const contents = await findContents(database, accountId, msgKeys)
  return new Map(
    contents.flatMap(({ msgKey, to, steps }) => {
      const [step] = steps
      if (to === '' || step === undefined || !('text' in step || 'content' in step)) return []
      return [[msgKey, { recipient: to, sender: channels[step.channel].sender(step) }]]
    }),
  )
}

export function replySource({ database, replyWaiters }: SourceContext, accountId: number): FeedSource {
  return {
    async position() {
      const known = await replyConsumers.position(database, accountId, smppConsumer)
      const oldest = await seekReplies(database, accountId, clock.cutoff(lifetimeMs))
      return Math.max(known ?? 0, oldest)
    },
    async read(seq, limit) {
      const replies = await readReplies(database, accountId, seq, Number.MAX_SAFE_INTEGER, limit)
      return replies.map((reply): FeedItem => {
        const body = replyBody(reply)
        // A reply that keeps being refused, or is not answered for five minutes, stays with polling, stream and webhooks.
        const owed = body === null ? [] : [{ body, store: giveUp, maxFailures: maxReplyFailures }]
        return { seq: reply.seq, owed }
      })
    },
    wait: (seq, signal) => replyWaiters.wait(accountId, seq, waitMs, signal),
    save: (seq) => replyConsumers.force(database, accountId, smppConsumer, seq),
  }
}
