/**
 * Pushes reports or replies again: those of one message, those that failed since a time, or all since a time.
 * The last moves the cursor back, at the same cost for any number of reports; the others make deliveries due.
 */
import { inTransaction, type Queryable, type Transactional } from '../../platform/database/database.ts'
import { seekTime } from '../../records/feed/feed.ts'
import { replyFeed } from '../../records/replies/queries.ts'
import { reportFeed } from '../../records/reports/queries.ts'
import { maxCounted } from './queries.ts'
import type { Webhook, WebhookEvents } from './webhook.ts'

/** Returns the number of reports that are pushed again. */
export async function replayMessage(
  database: Queryable,
  accountId: number,
  webhookId: string,
  msgKey: string,
  createdAfter: Date,
): Promise<number> {
  const result = await database.query(
    `insert into webhook_deliveries (webhook_id, event_id, msg_key, step, created_at, tries, retry_at, failed_at, error)
     select $1, r.msg_key || '-' || r.step, r.msg_key, r.step, r.created_at, 0, now(), now(), ''
       from reports r where r.msg_key = $2 and r.account_id = $3 and r.created_at > $4
     on conflict (webhook_id, event_id) do update set tries = 0, retry_at = now()`,
    [webhookId, msgKey, accountId, createdAfter],
  )
  return result.rowCount ?? 0
}

/** Returns 1 if the account has the reply, otherwise 0. */
export async function replayReply(
  database: Queryable,
  accountId: number,
  webhookId: string,
  replyKey: string,
  createdAfter: Date,
): Promise<number> {
  const result = await database.query(
    `insert into webhook_deliveries (webhook_id, event_id, msg_key, created_at, tries, retry_at, failed_at, error)
     select $1, r.reply_key, r.reply_key, r.created_at, 0, now(), now(), ''
       from replies r where r.reply_key = $2 and r.account_id = $3 and r.created_at > $4
     on conflict (webhook_id, event_id) do update set tries = 0, retry_at = now()`,
    [webhookId, replyKey, accountId, createdAfter],
  )
  return result.rowCount ?? 0
}

function seek(database: Queryable, events: WebhookEvents, accountId: number, time: Date): Promise<number> {
  return seekTime(database, events === 'reports' ? reportFeed : replyFeed, accountId, time)
}

/** Makes abandoned and retrying deliveries due now, with a full retry schedule. */
export async function replayFailed(database: Queryable, webhookId: string, since: Date): Promise<number> {
  const result = await database.query(
    `update webhook_deliveries set tries = 0, retry_at = now() where webhook_id = $1 and failed_at >= $2`,
    [webhookId, since],
  )
  return result.rowCount ?? 0
}

/** Counts what `replayFailed` would push again, up to `maxCounted`. */
export async function countFailed(database: Queryable, webhookId: string, since: Date): Promise<number> {
  const result = await database.query<{ count: number }>(
    `select count(*) as count
       from (select from webhook_deliveries where webhook_id = $1 and failed_at >= $2 limit ${maxCounted}) n`,
    [webhookId, since],
  )
  return result.rows[0]!.count
}

/** Counts what `replayAll` would push again. */
export async function countAll(
  database: Queryable,
  accountId: number,
  { id: webhookId, events }: Pick<Webhook, 'id' | 'events'>,
  since: Date,
): Promise<number> {
  const before = await seek(database, events, accountId, since)
  const result = await database.query<{ seq: number }>(
    'select seq from webhook_cursors where webhook_id = $1',
    [webhookId],
  )
  return Math.max(0, (result.rows[0]?.seq ?? 0) - before)
}

export function replayAll(
  database: Transactional,
  accountId: number,
  { id: webhookId, events }: Pick<Webhook, 'id' | 'events'>,
  since: Date,
): Promise<number> {
  return inTransaction(database, async (transaction) => {
    const before = await seek(transaction, events, accountId, since)
    const cursors = await transaction.query<{ seq: number }>(
      'select seq from webhook_cursors where webhook_id = $1 for update',
      [webhookId],
    )
    const seq = cursors.rows[0]?.seq ?? 0
    if (seq <= before) return 0
    await transaction.query('update webhook_cursors set seq = $2, epoch = epoch + 1 where webhook_id = $1', [
      webhookId,
      before,
    ])
    return seq - before
  })
}

/**
 * Moves the cursor past reports that are too old to push, so a webhook enabled after a long time does not
 * read them.
 */
export async function skipExpired(
  database: Queryable,
  accountId: number,
  { id: webhookId, events }: Pick<Webhook, 'id' | 'events'>,
  oldest: Date,
): Promise<void> {
  const before = await seek(database, events, accountId, oldest)
  await database.query(
    'update webhook_cursors set seq = $2, epoch = epoch + 1 where webhook_id = $1 and seq < $2',
    [webhookId, before],
  )
}
