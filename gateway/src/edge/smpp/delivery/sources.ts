import type { FormatTime } from '../../../contract/times.ts'
import { channels } from '../../../channels/registry.ts'
import type { Database } from '../../../platform/database/database.ts'
import { findContents } from '../../../records/messages/contents.ts'
import { moveSmppConsumer, readPosition, smppConsumer } from '../../../records/feed/consumers.ts'
import { readFeed, seekTime, type Feed, type FeedRow } from '../../../records/feed/feed.ts'
import type { FeedWaiters } from '../../../records/feed/waiters.ts'
import { replyFeed } from '../../../records/replies/queries.ts'
import { reportFeed, type NumberedReport } from '../../../records/reports/queries.ts'
import { clock } from '../../../platform/time/clock.ts'
import type { FeedItem, FeedSource, PendingPdu } from './feed-source.ts'
import {
  toReceiptError,
  isReceiptRequested,
  receiptBody,
  toMessageState,
  type ReceiptContent,
} from './receipt.ts'
import { replyBody } from './reply-body.ts'
import { insertReceipts } from './stored-receipts.ts'
import { partId, parseSubmitRef, type SubmitRef } from './submit-ref.ts'

/** Same lifetime as for polling and webhooks. */
const lifetimeMs = 3 * 86_400_000
const waitMs = 5_000
const firstRepeatSeconds = 60
const maxReceiptFailures = 3
const maxReplyFailures = 10
const abandon = (): Promise<void> => Promise.resolve()

export interface SourceContext {
  readonly database: Database
  readonly formatTime: FormatTime
  readonly reportWaiters: FeedWaiters
  readonly replyWaiters: FeedWaiters
}

/**
 * Creates the feed of receipts: reports of messages that an account submitted over SMPP. The position is that of a
 * consumer with a name that no client can use.
 */
export function receiptSource(context: SourceContext, accountId: number): FeedSource {
  const { database, reportWaiters } = context
  return createSource(database, accountId, reportFeed, reportWaiters, async (reports) => {
    const submitted = reports.flatMap((report) => {
      const ref = parseSubmitRef(report.ref)
      return ref === null ? [] : [{ report, ref }]
    })
    const wanted = submitted.filter(({ report, ref }) =>
      ref.registered.some((value) => isReceiptRequested(value, toMessageState(report.reportCode))),
    )
    const addresses = await readAddresses(
      database,
      accountId,
      wanted.map(({ report }) => report.msgKey),
    )
    const pdus = new Map(
      wanted.map(({ report, ref }) => [
        report.seq,
        buildReceipts(context, accountId, report, ref, addresses.get(report.msgKey) ?? null),
      ]),
    )
    return reports.map(({ seq }) => ({ seq, pdus: pdus.get(seq) ?? [] }))
  })
}

export function replySource({ database, replyWaiters }: SourceContext, accountId: number): FeedSource {
  return createSource(database, accountId, replyFeed, replyWaiters, (replies) =>
    Promise.resolve(
      replies.map((reply) => {
        const body = replyBody(reply)
        // A reply is not repeated after a permanent refusal, nor, if the client accepts or answers others, after
        // ten temporary refusals or five minutes without a response: polling, stream and webhooks still return it.
        const pdus = body === null ? [] : [{ body, store: abandon, maxFailures: maxReplyFailures }]
        return { seq: reply.seq, pdus }
      }),
    ),
  )
}

function createSource<Row extends FeedRow>(
  database: Database,
  accountId: number,
  feed: Feed<Row>,
  waiters: FeedWaiters,
  toItems: (rows: readonly Row[]) => Promise<readonly FeedItem[]>,
): FeedSource {
  return {
    // Without a position, deliver everything that has not expired.
    async position() {
      const position = await readPosition(database, feed, accountId, smppConsumer)
      return seekTime(database, feed, accountId, clock.cutoff(lifetimeMs), position ?? 0)
    },
    read: async (afterSeq, limit) => toItems(await readFeed(database, feed, { accountId, afterSeq, limit })),
    wait: (seq, signal) => waiters.wait(accountId, seq, waitMs, signal),
    save: (seq) => moveSmppConsumer(database, feed, accountId, seq),
  }
}

function buildReceipts(
  { database, formatTime }: SourceContext,
  accountId: number,
  { msgKey, reportCode, sentAt, reportedAt, ref: text }: NumberedReport,
  ref: SubmitRef,
  addresses: ReceiptContent['addresses'],
): PendingPdu[] {
  const state = toMessageState(reportCode)
  return ref.registered.flatMap((registered, index) => {
    if (!isReceiptRequested(registered, state)) return []
    const messageId = partId(msgKey, index + 1)
    const receipt = { messageId, state, error: toReceiptError(reportCode), sentAt, doneAt: reportedAt }
    return [
      {
        body: receiptBody({ ...receipt, ref, addresses }, formatTime),
        store: () => insertReceipts(database, [{ ...receipt, accountId, ref: text! }], firstRepeatSeconds),
        maxFailures: maxReceiptFailures,
      },
    ]
  })
}

/** Reads sender and recipient by msgKey; erased ones are left out. */
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
