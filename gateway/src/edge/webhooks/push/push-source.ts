import { columns, queryBulk } from '../../../platform/database/bulk.ts'
import { clock } from '../../../platform/time/clock.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import { readLastSeqs, type Feed, type FeedRow } from '../../../records/feed/feed.ts'
import { findReplies, replyFeed } from '../../../records/replies/queries.ts'
import type { ReplyRow } from '../../../records/replies/reply.ts'
import { reportColumns, reportFeed, type ReportRow } from '../../../records/reports/queries.ts'
import type { RecordSettings } from '../../../records/reports/report-record.ts'
import { addMessages, type ReportWithMessage } from '../../../records/reports/reported-message.ts'
import { reportEventId, type Notice } from '../body.ts'
import type { PushedWebhook } from './ownership.ts'
import { pushLifetimeMs, type WebhookEvents } from '../webhook.ts'

/** New report or reply, depending on the events of the webhook. */
export interface FreshEvent {
  readonly webhookId: string
  readonly seq: number
  readonly eventId: string
  readonly createdAt: Date
  readonly report: ReportWithMessage | null
  readonly reply: ReplyRow | null
}

export interface DueDelivery {
  readonly webhookId: string
  readonly eventId: string
  readonly tries: number
  readonly createdAt: Date
  readonly notice: Notice | null
  /** Null for a reply or notice, and if the report has passed its retention. */
  readonly report: ReportWithMessage | null
  readonly reply: ReplyRow | null
}

/** Takes reports and deliveries for one webhook; implemented by `EndpointWorker`. */
export interface PushReader {
  readonly webhook: Pick<PushedWebhook, 'id' | 'accountId' | 'events' | 'reportKeys'>
  readonly afterSeq: number
  readonly freshCapacity: number
  /** Returns the number of due deliveries to read now. */
  requestDue(): number
  addFresh(events: readonly FreshEvent[]): void
  skipTo(seq: number): void
  addDue(deliveries: readonly DueDelivery[]): void
}

/** Readers by webhook id; the map may change while the tables are read. */
export type PushReaders = ReadonlyMap<string, PushReader>

/**
 * Reads new reports and replies after the cursors of all workers together. Returns false if there is nothing after any
 * cursor.
 */
export async function fetchFresh(database: Queryable, readers: PushReaders): Promise<boolean> {
  const hasReports = await fetchEvents(database, readers, 'reports', reportFeed, async (rows) => {
    const withMessages = await addMessages(database, rows, ({ webhook }) => webhook.reportKeys === 'full')
    return withMessages.map(({ webhook, seq, createdAt, ...report }) => ({
      webhookId: webhook.id,
      eventId: reportEventId(report.msgKey, report.step),
      seq,
      createdAt,
      report,
      reply: null,
    }))
  })
  const hasReplies = await fetchEvents(database, readers, 'replies', replyFeed, (rows) =>
    Promise.resolve(
      rows.map(({ webhook, seq, createdAt, ...reply }) => ({
        webhookId: webhook.id,
        eventId: reply.replyKey,
        seq,
        createdAt,
        report: null,
        reply,
      })),
    ),
  )
  return hasReports || hasReplies
}

type OfWebhook<Row> = Row & { readonly webhook: PushReader['webhook'] }

async function fetchEvents<Row extends FeedRow>(
  database: Queryable,
  readers: PushReaders,
  events: WebhookEvents,
  feed: Feed<Row>,
  toEvents: (rows: readonly OfWebhook<Row>[]) => Promise<readonly FreshEvent[]>,
): Promise<boolean> {
  const requests = [...readers.values()].flatMap((reader) => {
    const { webhook, afterSeq, freshCapacity: limit } = reader
    return webhook.events === events && limit > 0 ? [{ reader, webhook, afterSeq, limit }] : []
  })
  if (requests.length === 0) return false
  const accountIds = [...new Set(requests.map(({ webhook }) => webhook.accountId))]
  const lastSeqs = await readLastSeqs(database, feed, accountIds)
  const behind = requests
    .map((request) => {
      const { accountId } = request.webhook
      return { ...request, accountId, upToSeq: lastSeqs.get(accountId) ?? 0 }
    })
    .filter(({ afterSeq, upToSeq }) => upToSeq > afterSeq)
  if (behind.length === 0) return false
  const pages = await feed.readPages(database, behind, clock.cutoff(pushLifetimeMs))
  const rows = pages.flatMap((page, index) =>
    page.rows.map((row) => ({ ...row, webhook: behind[index]!.webhook })),
  )
  const byWebhook = Map.groupBy(await toEvents(rows), ({ webhookId }) => webhookId)
  for (const [index, { reader, webhook, limit, upToSeq }] of behind.entries()) {
    // A reader that replaced this one in the meantime starts from another cursor and reads for itself.
    if (readers.get(webhook.id) !== reader) continue
    const fresh = byWebhook.get(webhook.id) ?? []
    reader.addFresh(fresh)
    // Fewer rows than requested: the others up to the last one are too old to be pushed.
    if (fresh.length < limit && !pages[index]!.isCut) reader.skipTo(upToSeq)
  }
  return true
}

/** Reads the due deliveries of all workers together. */
export async function fetchDue(database: Database, readers: PushReaders): Promise<void> {
  const requests = [...readers].flatMap(([webhookId, reader]) => {
    const count = reader.requestDue()
    return count > 0 ? [{ reader, webhookId, count, reportKeys: reader.webhook.reportKeys }] : []
  })
  if (requests.length === 0) return
  const deliveries = Map.groupBy(await readDue(database, requests), ({ webhookId }) => webhookId)
  for (const { reader, webhookId } of requests)
    if (readers.get(webhookId) === reader) reader.addDue(deliveries.get(webhookId) ?? [])
}

interface DueRequest extends Pick<RecordSettings, 'reportKeys'> {
  readonly webhookId: string
  readonly count: number
}

async function readDue(database: Queryable, requests: readonly DueRequest[]): Promise<DueDelivery[]> {
  const rows = await queryBulk<DueRow>(database, {
    name: 'read-due-deliveries',
    text: `select ${reportColumns}, d.webhook_id as "webhookId", d.event_id as "eventId", d.tries, d.notice,
                  case when d.step is null then d.msg_key end as "replyKey",
                  d.created_at as "createdAt"
             from unnest($1::text[], $2::int[]) as w (webhook_id, n)
            cross join lateral (select * from webhook_deliveries o
                                 where o.webhook_id = w.webhook_id and o.retry_at <= $3
                                 order by o.retry_at limit w.n) as d
             left join reports r on r.msg_key = d.msg_key and r.step = d.step`,
    columns: columns(requests, ({ webhookId, count }) => [webhookId, count]),
    values: [clock.date()],
  })
  const replyKeys = rows.flatMap(({ replyKey }) => (replyKey === null ? [] : [replyKey]))
  const replies = await findReplies(database, replyKeys)
  const hasReport = ({ msgKey }: DueRow): boolean => (msgKey as string | null) !== null
  const fullKeyWebhooks = new Set(
    requests.flatMap(({ webhookId, reportKeys }) => (reportKeys === 'full' ? [webhookId] : [])),
  )
  const deliveries = await addMessages(
    database,
    rows,
    (row) => hasReport(row) && fullKeyWebhooks.has(row.webhookId),
  )
  return deliveries.map(({ webhookId, eventId, tries, createdAt, notice, replyKey, ...report }) => ({
    webhookId,
    eventId,
    tries,
    createdAt,
    notice,
    report: (report.msgKey as string | null) === null ? null : report,
    reply: replyKey === null ? null : (replies.get(replyKey) ?? null),
  }))
}

interface DueRow extends Omit<DueDelivery, 'report' | 'reply'>, ReportRow {
  /** Key of the reply, or null for a report or notice. */
  readonly replyKey: string | null
}
