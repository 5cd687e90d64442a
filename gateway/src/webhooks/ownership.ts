/**
 * Which process pushes to which webhook. One process owns a webhook at a time, so that its rate and concurrency hold.
 * When a process stops sending heartbeats, others take over its webhooks. Two that push for a moment at once do no harm:
 * only the owner can move the cursor.
 */
import { ConfigError } from '../platform/config.ts'
import type { Queryable } from '../platform/database.ts'
import { DamagedCiphertext } from '../platform/encryption/ciphertext.ts'
import { inClear, type FieldCipher } from '../platform/encryption/field-cipher.ts'
import type { RecordSettings } from '../records/reports/report-record.ts'
import { webhookColumns } from './queries.ts'
import type { StoredUrl } from './encrypted-url.ts'
import { SecretsOfOwned, secretColumns } from './encrypted-secrets.ts'
import type { Webhook, WebhookSecrets } from './webhook.ts'

export interface OwnedWebhook extends Webhook, StoredUrl, WebhookSecrets, RecordSettings {
  readonly seq: number
  readonly epoch: number
  readonly failingSince: Date | null
  readonly nextRetryAt: Date | null
}

/**
 * A heartbeat from the future was written before PostgreSQL moved to a host whose clock is behind; a process that lives
 * has written it again.
 */
const livePushers = `select id from webhook_pushers
  where seen_at between now() - $2::integer * interval '1 millisecond' and now() + $2::integer * interval '1 millisecond'`

/** Records that this process is alive, and returns its fair share of the webhooks. */
export async function heartbeat(database: Queryable, pusher: string, leaseMs: number): Promise<number> {
  const result = await database.query<{ share: number }>({
    name: 'webhook-heartbeat',
    text: `with alive as (
             insert into webhook_pushers (id, seen_at) values ($1, now()) on conflict (id) do update set seen_at = now()),
           gone as (delete from webhook_pushers
                     where seen_at not between now() - interval '1 hour' and now() + interval '1 hour' and id <> $1)
           select ceil((select count(*) from webhooks where enabled)::real / count(*)) as share
             from (${livePushers} union select $1) as a`,
    values: [pusher, leaseMs],
  })
  return result.rows[0]!.share
}

/**
 * Claims up to `count` webhooks that no live process owns. The epoch grows even when this process owned the webhook
 * before: its unsaved results no longer count, and it must start at the cursor.
 */
export async function claimWebhooks(
  database: Queryable,
  pusher: string,
  leaseMs: number,
  count: number,
): Promise<void> {
  if (count <= 0) return
  await database.query(
    `update webhook_cursors set owner = $1, epoch = epoch + 1
      where webhook_id in (
        select c.webhook_id from webhook_cursors c join webhooks w on w.id = c.webhook_id
           join accounts a on a.id = w.account_id
         where w.enabled and not a.blocked and (c.owner is null or c.owner not in (${livePushers}))
         order by c.webhook_id limit $3 for update of c skip locked)`,
    [pusher, leaseMs, count],
  )
}

export async function releaseWebhooks(
  database: Queryable,
  pusher: string,
  ids: readonly string[],
): Promise<void> {
  await database.query('update webhook_cursors set owner = null where owner = $1 and webhook_id = any($2)', [
    pusher,
    ids,
  ])
}

export async function deregister(database: Queryable, pusher: string): Promise<void> {
  await database.query('update webhook_cursors set owner = null where owner = $1', [pusher])
  await database.query('delete from webhook_pushers where id = $1', [pusher])
}

export type OnUnreadable = (webhookId: string, error: Error) => void

/** Without those whose secret or URL this process cannot decrypt, which are given to `onUnreadable`. */
export async function readOwned(
  database: Queryable,
  pusher: string,
  cipher: FieldCipher = inClear,
  onUnreadable: OnUnreadable = () => undefined,
  secrets = new SecretsOfOwned(),
): Promise<OwnedWebhook[]> {
  const result = await database.query<OwnedWebhook>({
    name: 'read-owned-webhooks',
    text: `select ${webhookColumns}, ${secretColumns}, c.seq, c.epoch, c.failing_since as "failingSince",
                  a.part_counts as "partCounts", a.report_keys as "reportKeys",
                  (select min(retry_at) from webhook_deliveries d where d.webhook_id = w.id) as "nextRetryAt"
             from webhook_cursors c join webhooks w on w.id = c.webhook_id join accounts a on a.id = w.account_id
            where c.owner = $1 and w.enabled and not a.blocked order by w.id`,
    values: [pusher],
  })
  const readable: OwnedWebhook[] = []
  secrets.startRound()
  for (const webhook of result.rows) {
    try {
      readable.push(await secrets.decrypt(database, cipher, webhook))
    } catch (error) {
      if (!(error instanceof DamagedCiphertext || error instanceof ConfigError)) throw error
      onUnreadable(webhook.id, error)
    }
  }
  return readable
}
