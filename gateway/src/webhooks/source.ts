/** What is there to be pushed: new reports after each cursor, and deliveries whose time has come. Reads, writes nothing. */
import type { Queryable } from '../platform/database.ts'
import type { ReportRow } from '../records/reports/queries.ts'
import type { Notice } from './body.ts'

const reportColumns = `r.msg_key as "msgKey", r.step, r.service_type as "serviceType", r.msg_type as "msgType",
  r.sent_at as "sentAt", r.reported_at as "reportedAt", r.report_code as "reportCode", r.report_text as "reportText",
  r.carrier, r.parts, r.ref, r.user_type as "userType", r.created_at as "createdAt"`

export interface FreshReport extends ReportRow {
  readonly webhookId: string
  readonly seq: number
  readonly step: number
  readonly createdAt: Date
}

export interface Want {
  readonly webhookId: string
  readonly accountId: number
  readonly afterSeq: number
  readonly count: number
}

/** The last number given to a report of each account. */
export async function readHeads(
  database: Queryable,
  accountIds: readonly number[],
): Promise<Map<number, number>> {
  const result = await database.query<{ accountId: number; lastSeq: number }>({
    name: 'read-webhook-heads',
    text: `select h.account_id as "accountId", h.last_seq as "lastSeq"
             from unnest($1::int[]) as a (id) join report_heads h on h.account_id = a.id`,
    values: [accountIds],
  })
  return new Map(result.rows.map(({ accountId, lastSeq }) => [accountId, lastSeq]))
}

/** For many webhooks in one statement; of each account in order. */
export async function readFresh(
  database: Queryable,
  wants: readonly Want[],
  createdAfter: Date,
): Promise<FreshReport[]> {
  const result = await database.query<FreshReport>({
    name: 'read-fresh-reports',
    text: `select w.webhook_id as "webhookId", r.seq, ${reportColumns}
             from unnest($1::text[], $2::int[], $3::bigint[], $4::int[]) as w (webhook_id, account_id, after_seq, n)
            cross join lateral (select * from reports p
                                 where p.account_id = w.account_id and p.seq > w.after_seq and p.created_at > $5
                                 order by p.seq limit w.n) as r`,
    values: [
      wants.map((want) => want.webhookId),
      wants.map((want) => want.accountId),
      wants.map((want) => want.afterSeq),
      wants.map((want) => want.count),
      createdAfter,
    ],
  })
  return result.rows
}

export interface DueDelivery {
  readonly webhookId: string
  readonly eventId: string
  readonly tries: number
  readonly createdAt: Date
  readonly notice: Notice | null
  /** Null for a notice, and for a report that is no longer kept. */
  readonly report: (ReportRow & { readonly step: number }) | null
}

export async function readDue(
  database: Queryable,
  wants: readonly Pick<Want, 'webhookId' | 'count'>[],
  now: Date,
): Promise<DueDelivery[]> {
  const result = await database.query<Omit<DueDelivery, 'report'> & ReportRow & { step: number }>({
    name: 'read-due-deliveries',
    text: `select ${reportColumns}, d.webhook_id as "webhookId", d.event_id as "eventId", d.tries, d.notice,
                  d.created_at as "createdAt"
             from unnest($1::text[], $2::int[]) as w (webhook_id, n)
            cross join lateral (select * from webhook_deliveries o
                                 where o.webhook_id = w.webhook_id and o.retry_at <= $3
                                 order by o.retry_at limit w.n) as d
             left join reports r on r.msg_key = d.msg_key and r.step = d.step`,
    values: [wants.map((want) => want.webhookId), wants.map((want) => want.count), now],
  })
  return result.rows.map(({ webhookId, eventId, tries, createdAt, notice, ...report }) => ({
    webhookId,
    eventId,
    tries,
    createdAt,
    notice,
    report: (report.msgKey as string | null) === null ? null : report,
  }))
}
