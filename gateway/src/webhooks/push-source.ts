/**
 * Reads from PostgreSQL what the endpoint workers of one process can take: new reports or replies after each cursor, and
 * deliveries that are due. One statement serves all workers, whatever their number. Writes nothing.
 */
import { columns, queryBulk } from '../platform/bulk.ts'
import { clock } from '../platform/clock.ts'
import type { Database, Queryable } from '../platform/database.ts'
import { readFreshReplies, findReplies } from '../records/replies/queries.ts'
import type { ReplyRow } from '../records/replies/reply.ts'
import {
  allKeys,
  hasNoGap,
  recentKeys,
  reportColumns,
  type KeyRange,
  type ReportRow,
} from '../records/reports/queries.ts'
import type { RecordSettings } from '../records/reports/report-record.ts'
import { addMessages, type ReportWithMessage } from '../records/reports/reported-message.ts'
import { reportEventId, type Notice } from './body.ts'
import type { OwnedWebhook } from './ownership.ts'
import { pushLifetimeMs, type WebhookEvents } from './webhook.ts'

/** A new report or reply, whichever the webhook receives. */
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
  /** Null for others, and for one that has passed its retention. */
  readonly report: ReportWithMessage | null
  readonly reply: ReplyRow | null
}

/** What is read for: an endpoint worker. */
export interface PushReader {
  readonly webhook: Pick<OwnedWebhook, 'id' | 'accountId' | 'events' | 'reportKeys'>
  readonly afterSeq: number
  readonly freshCapacity: number
  /** How many due deliveries to read now. */
  requestDue(): number
  addFresh(events: readonly FreshEvent[]): void
  skipTo(seq: number): void
  addDue(deliveries: readonly DueDelivery[]): void
}

/** By webhook id; it may change while the tables are read. */
export type PushReaders = ReadonlyMap<string, PushReader>

export interface ReadRequest extends Pick<RecordSettings, 'reportKeys'> {
  readonly webhookId: string
  readonly accountId: number
  readonly afterSeq: number
  /** The last number given to a report or reply of the account. */
  readonly lastSeq: number
  readonly count: number
}

/** False when there was nothing to read. */
export async function fetchFresh(database: Queryable, readers: PushReaders): Promise<boolean> {
  const reports = await fetchEvents(database, readers, 'reports')
  const replies = await fetchEvents(database, readers, 'replies')
  return reports || replies
}

async function fetchEvents(
  database: Queryable,
  readers: PushReaders,
  events: WebhookEvents,
): Promise<boolean> {
  const requests = [...readers.values()].flatMap((reader): Omit<ReadRequest, 'lastSeq'>[] => {
    const { id: webhookId, accountId, reportKeys } = reader.webhook
    const count = reader.webhook.events === events ? reader.freshCapacity : 0
    return count > 0 ? [{ webhookId, accountId, reportKeys, afterSeq: reader.afterSeq, count }] : []
  })
  if (requests.length === 0) return false
  const requestedBy = new Map(readers)
  const accountIds = [...new Set(requests.map(({ accountId }) => accountId))]
  const lastSeqs = await readLastSeqs(database, accountIds, events)
  const behind = requests
    .map((request): ReadRequest => ({ ...request, lastSeq: lastSeqs.get(request.accountId) ?? 0 }))
    .filter(({ afterSeq, lastSeq }) => lastSeq > afterSeq)
  if (behind.length === 0) return false
  const read = events === 'reports' ? readFresh : readReplies
  const { rows, cut } = await read(database, behind, clock.cutoff(pushLifetimeMs))
  const byWebhook = Map.groupBy(rows, ({ webhookId }) => webhookId)
  for (const { webhookId, lastSeq, count } of behind) {
    const reader = unlessReplaced(webhookId, requestedBy, readers)
    const own = byWebhook.get(webhookId) ?? []
    reader?.addFresh(own)
    // Fewer rows than requested: everything up to the last one has been read.
    if (own.length < count && !cut.has(webhookId)) reader?.skipTo(lastSeq)
  }
  return true
}

export async function fetchDue(database: Database, readers: PushReaders): Promise<void> {
  const requests = [...readers].flatMap(([webhookId, reader]) => {
    const count = reader.requestDue()
    return count > 0 ? [{ webhookId, count, reportKeys: reader.webhook.reportKeys }] : []
  })
  if (requests.length === 0) return
  const requestedBy = new Map(readers)
  const deliveries = await readDue(database, requests)
  for (const [webhookId, own] of Map.groupBy(deliveries, (row) => row.webhookId))
    unlessReplaced(webhookId, requestedBy, readers)?.addDue(own)
}

/** The reader that made the request. One that has replaced it meanwhile starts from another cursor. */
function unlessReplaced(
  webhookId: string,
  requestedBy: PushReaders,
  readers: PushReaders,
): PushReader | undefined {
  const reader = readers.get(webhookId)
  return reader === requestedBy.get(webhookId) ? reader : undefined
}

/** The last sequence number of each account's reports or replies. */
async function readLastSeqs(
  database: Queryable,
  accountIds: readonly number[],
  events: WebhookEvents,
): Promise<Map<number, number>> {
  const result = await database.query<{ accountId: number; lastSeq: number }>({
    name: `read-last-seqs-${events}`,
    text: `select h.account_id as "accountId", h.last_seq as "lastSeq" from unnest($1::int[]) as a (id)
             join ${events === 'reports' ? 'report_sequences' : 'reply_sequences'} h on h.account_id = a.id`,
    values: [accountIds],
  })
  return new Map(result.rows.map(({ accountId, lastSeq }) => [accountId, lastSeq]))
}

/** Ordered by sequence number within each webhook. */
interface Fresh {
  readonly rows: readonly FreshEvent[]
  /** Webhooks that have more within the requested count. */
  readonly cut: ReadonlySet<string>
}

const none: ReadonlySet<string> = new Set()

async function readFresh(
  database: Queryable,
  requests: readonly ReadRequest[],
  createdAfter: Date,
): Promise<Fresh> {
  const recent = await readReports(database, requests, createdAfter, recentKeys())
  const byWebhook = Map.groupBy(recent, ({ webhookId }) => webhookId)
  const incomplete = requests.filter(({ webhookId, afterSeq, lastSeq, count }) => {
    const rows = byWebhook.get(webhookId) ?? []
    return !hasNoGap(rows, afterSeq, Math.min(count, lastSeq - afterSeq))
  })
  for (const { webhookId } of incomplete) byWebhook.delete(webhookId)
  const others = await readReports(database, incomplete, createdAfter, allKeys)
  const rows = [...[...byWebhook.values()].flat(), ...others]
  const reports = await addMessages(database, rows, hasFullKeys(requests))
  const events = reports.map(({ webhookId, seq, createdAt, ...report }) => ({
    ...{ webhookId, seq, createdAt, report, reply: null },
    eventId: reportEventId(report.msgKey, report.step),
  }))
  return { rows: events, cut: none }
}

function readReports(
  database: Queryable,
  requests: readonly ReadRequest[],
  createdAfter: Date,
  { fromKey, beforeKey }: KeyRange,
): Promise<FreshRow[]> {
  return queryBulk<FreshRow>(database, {
    name: 'read-fresh-reports',
    text: `select w.webhook_id as "webhookId", r.seq, ${reportColumns}
             from unnest($1::text[], $2::int[], $3::bigint[], $4::bigint[], $5::int[])
               as w (webhook_id, account_id, after_seq, last_seq, n)
            cross join lateral (select * from reports p
                                 where p.account_id = w.account_id and p.seq > w.after_seq and p.seq <= w.last_seq
                                   and p.created_at > $6 and p.msg_key >= $7 and p.msg_key < $8
                                 order by p.seq limit w.n) as r`,
    columns: columns(requests, ({ webhookId, accountId, afterSeq, lastSeq, count }) => [
      webhookId,
      accountId,
      afterSeq,
      lastSeq,
      count,
    ]),
    values: [createdAfter, fromKey, beforeKey],
  })
}

function hasFullKeys(requests: readonly Pick<ReadRequest, 'webhookId' | 'reportKeys'>[]) {
  const full = new Set(requests.flatMap((one) => (one.reportKeys === 'full' ? [one.webhookId] : [])))
  return ({ webhookId }: { readonly webhookId: string }): boolean => full.has(webhookId)
}

interface FreshRow extends ReportRow {
  readonly webhookId: string
  readonly seq: number
  readonly createdAt: Date
}

async function readReplies(
  database: Queryable,
  requests: readonly ReadRequest[],
  createdAfter: Date,
): Promise<Fresh> {
  const rows = await readFreshReplies(database, requests, createdAfter)
  const left = new Map<string, number>()
  const events = rows.map(({ webhookId, seq, createdAt, found, ...reply }) => {
    left.set(webhookId, (left.get(webhookId) ?? found) - 1)
    return { ...{ webhookId, seq, createdAt, report: null, reply }, eventId: reply.replyKey }
  })
  const cut = [...left].flatMap(([webhookId, count]) => (count > 0 ? [webhookId] : []))
  return { rows: events, cut: new Set(cut) }
}

async function readDue(
  database: Queryable,
  requests: readonly Pick<ReadRequest, 'webhookId' | 'count' | 'reportKeys'>[],
): Promise<DueDelivery[]> {
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
  const isFull = hasFullKeys(requests)
  const deliveries = await addMessages(database, rows, (row) => hasReport(row) && isFull(row))
  return deliveries.map(({ webhookId, eventId, tries, createdAt, notice, replyKey, ...report }) => ({
    ...{ webhookId, eventId, tries, createdAt, notice },
    report: (report.msgKey as string | null) === null ? null : report,
    reply: replyKey === null ? null : (replies.get(replyKey) ?? null),
  }))
}

interface DueRow extends Omit<DueDelivery, 'report' | 'reply'>, ReportRow {
  /** Of a delivery of a reply. */
  readonly replyKey: string | null
}
