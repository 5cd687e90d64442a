/**
 * Which worker pushes to which webhook. One at a time, so that a webhook's rate and connections are its own; when a
 * worker stops telling that it is alive, the others take over what was its. Two that push at once for a moment do no
 * harm: only the owner can move the cursor.
 */
import type { Queryable } from '../platform/database.ts'
import type { RecordSettings } from '../records/reports/record.ts'
import { webhookColumns } from './queries.ts'
import type { Webhook } from './webhook.ts'

export interface OwnedWebhook extends Webhook, RecordSettings {
  readonly seq: number
  readonly epoch: number
  readonly failingSince: Date | null
  readonly nextRetryAt: Date | null
}

const alive = `select id from webhook_pushers where seen_at > now() - $2::integer * interval '1 millisecond'`

/** Tells that this worker is alive, and returns its fair share of the webhooks. */
export async function tellAlive(database: Queryable, pusher: string, leaseMs: number): Promise<number> {
  await database.query(
    `insert into webhook_pushers (id, seen_at) values ($1, now()) on conflict (id) do update set seen_at = now()`,
    [pusher],
  )
  await database.query(`delete from webhook_pushers where seen_at < now() - interval '1 hour'`)
  const result = await database.query<{ share: number }>(
    `select ceil((select count(*) from webhooks where enabled)::real / greatest(count(*), 1)) as share
       from (${alive.replace('$2', '$1')}) as a`,
    [leaseMs],
  )
  return result.rows[0]!.share
}

/**
 * Takes webhooks that nobody alive has, until this worker has its share. A new epoch, even for one that was this
 * worker's before: what it learned of it meanwhile was void, and it must begin where the cursor stands.
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
         where w.enabled and (c.owner is null or c.owner not in (${alive}))
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

export async function leave(database: Queryable, pusher: string): Promise<void> {
  await database.query('update webhook_cursors set owner = null where owner = $1', [pusher])
  await database.query('delete from webhook_pushers where id = $1', [pusher])
}

export async function readOwned(database: Queryable, pusher: string): Promise<OwnedWebhook[]> {
  const result = await database.query<OwnedWebhook>({
    name: 'read-owned-webhooks',
    text: `select ${webhookColumns}, c.seq, c.epoch, c.failing_since as "failingSince",
                  a.part_counts as "partCounts", a.report_keys as "reportKeys",
                  (select min(retry_at) from webhook_deliveries d where d.webhook_id = w.id) as "nextRetryAt"
             from webhook_cursors c join webhooks w on w.id = c.webhook_id join accounts a on a.id = w.account_id
            where c.owner = $1 and w.enabled order by w.id`,
    values: [pusher],
  })
  return result.rows
}
