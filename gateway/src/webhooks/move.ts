/**
 * Copies the webhooks of an account to another cell with their cursors and failed deliveries. Called by `postern account
 * move` while neither cell serves the account: its pushers have saved their progress and pushed nothing since.
 */
import type { Queryable } from '../platform/database.ts'

/** All rows, as JSON. */
export interface StoredWebhooks {
  readonly webhooks: readonly string[]
  readonly cursors: readonly string[]
}

/** True while a process of the cell pushes to a webhook of the account, or has results that are not saved. */
export async function hasPushers(database: Queryable, accountId: number): Promise<boolean> {
  const result = await database.query(
    `select from webhook_cursors c where c.account_id = $1
        and c.owner in (select id from webhook_pushers 
                         where seen_at between now() - interval '10 seconds' and now() + interval '10 seconds') limit 1`,
    [accountId],
  )
  return result.rowCount === 1
}

export async function readStoredWebhooks(database: Queryable, accountId: number): Promise<StoredWebhooks> {
  const webhooks = await database.query<{ row: string }>(
    'select to_json(w)::text as row from webhooks w where account_id = $1',
    [accountId],
  )
  const cursors = await database.query<{ row: string }>(
    'select to_json(c)::text as row from webhook_cursors c where account_id = $1',
    [accountId],
  )
  const rows = (result: { rows: { row: string }[] }): string[] => result.rows.map(({ row }) => row)
  return { webhooks: rows(webhooks), cursors: rows(cursors) }
}

export interface StoredDelivery {
  readonly webhookId: string
  readonly eventId: string
  readonly row: string
}

/** In the order of their keys. */
export async function readStoredDeliveries(
  database: Queryable,
  accountId: number,
  after: Pick<StoredDelivery, 'webhookId' | 'eventId'>,
  limit: number,
): Promise<StoredDelivery[]> {
  const result = await database.query<StoredDelivery>(
    `select d.webhook_id as "webhookId", d.event_id as "eventId", to_json(d)::text as row from webhook_deliveries d
      where d.webhook_id in (select id from webhooks where account_id = $1)
        and (d.webhook_id, d.event_id) > ($2, $3) order by d.webhook_id, d.event_id limit $4`,
    [accountId, after.webhookId, after.eventId, limit],
  )
  return result.rows
}

/** Replaces all webhooks of the account. No process owns them until the cell serves the account. */
export async function importWebhooks(
  transaction: Queryable,
  accountId: number,
  { webhooks, cursors }: StoredWebhooks,
): Promise<void> {
  await transaction.query(
    'delete from webhook_deliveries where webhook_id in (select id from webhooks where account_id = $1)',
    [accountId],
  )
  await transaction.query('delete from webhooks where account_id = $1', [accountId])
  await transaction.query(
    `insert into webhooks
     select (json_populate_record(json_populate_record(null::webhooks, row::json),
                                  json_build_object('account_id', $2::integer))).*
       from unnest($1::text[]) as row`,
    [webhooks, accountId],
  )
  await transaction.query(
    `insert into webhook_cursors
     select (json_populate_record(json_populate_record(null::webhook_cursors, row::json),
                                  json_build_object('account_id', $2::integer, 'owner', null))).*
       from unnest($1::text[]) as row`,
    [cursors, accountId],
  )
}

export async function importDeliveries(
  transaction: Queryable,
  deliveries: readonly StoredDelivery[],
): Promise<void> {
  await transaction.query(
    `insert into webhook_deliveries
     select (json_populate_record(null::webhook_deliveries, row::json)).* from unnest($1::text[]) as row`,
    [deliveries.map(({ row }) => row)],
  )
}
