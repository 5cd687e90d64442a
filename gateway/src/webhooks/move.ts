/**
 * Copies the webhooks of an account to another cell with their cursors and failed deliveries. Called by `postern account
 * move` while neither cell serves the account: its pushers have saved their progress and pushed nothing since.
 */
import { selectMovedRows, type KeyRange, type KeyVersion } from '../accounts/moved-rows.ts'
import type { Queryable } from '../platform/database.ts'
import { inClear, type FieldCipher } from '../platform/encryption/field-cipher.ts'
import { decryptSecrets, encryptSecret, secretColumns } from './encrypted-secrets.ts'
import { decryptUnlessDamaged, encryptUrl, type StoredUrl } from './encrypted-url.ts'
import type { WebhookSecrets } from './webhook.ts'

/** All rows. Their secrets and URLs are in clear: each cell encrypts them with keys of its own. */
export interface StoredWebhooks {
  readonly webhooks: readonly (Pick<WebhookSecrets, 'secret' | 'previousSecret'> &
    StoredUrl & {
      readonly id: string
      /** All columns. */
      readonly row: object
    })[]
  /** As JSON. */
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

export async function listWebhookIds(database: Queryable, accountId: number): Promise<string[]> {
  const result = await database.query<{ id: string }>('select id from webhooks where account_id = $1', [
    accountId,
  ])
  return result.rows.map(({ id }) => id)
}

export async function readStoredWebhooks(
  database: Queryable,
  accountId: number,
  cipher: FieldCipher = inClear,
): Promise<StoredWebhooks> {
  type Row = StoredWebhooks['webhooks'][number] & { readonly accountId: number }
  const webhooks = await database.query<Row>(
    `select w.id, w.account_id as "accountId", w.url, w.encrypted_url as "encryptedUrl", ${secretColumns}, to_json(w) as row
       from webhooks w where account_id = $1`,
    [accountId],
  )
  const decrypted = await Promise.all(
    webhooks.rows.map(async (row) =>
      decryptUnlessDamaged(database, cipher, await decryptSecrets(database, cipher, row)),
    ),
  )
  const cursors = await database.query<{ row: string }>(
    'select to_json(c)::text as row from webhook_cursors c where account_id = $1',
    [accountId],
  )
  return { webhooks: decrypted, cursors: cursors.rows.map(({ row }) => row) }
}

/** Replaces all webhooks of the account; deliveries of those that remain stay. No process owns them until the cell serves the account. */
export async function importWebhooks(
  transaction: Queryable,
  accountId: number,
  { webhooks, cursors }: StoredWebhooks,
  cipher: FieldCipher = inClear,
): Promise<void> {
  const ids = webhooks.map(({ id }) => id)
  const rows: string[] = []
  for (const { id, secret, previousSecret, row, ...stored } of webhooks) {
    const encrypt = (text: string): Promise<string> =>
      encryptSecret(transaction, cipher, { id, accountId }, text)
    const previous = previousSecret === null ? null : await encrypt(previousSecret)
    // A damaged one stays so: its reports wait until its owner sets it again.
    const { url, encryptedUrl } =
      stored.encryptedUrl === null
        ? await encryptUrl(transaction, cipher, { id, accountId }, stored.url)
        : stored
    const encrypted = { secret: await encrypt(secret), previous_secret: previous }
    rows.push(JSON.stringify({ ...row, ...encrypted, url, encrypted_url: encryptedUrl }))
  }
  await transaction.query(
    `delete from webhook_deliveries
      where webhook_id in (select id from webhooks where account_id = $1) and webhook_id <> all($2)`,
    [accountId, ids],
  )
  await transaction.query('delete from webhooks where account_id = $1', [accountId])
  await transaction.query(
    `insert into webhooks
     ${selectMovedRows('webhooks')}`,
    [rows, accountId],
  )
  await transaction.query(
    `insert into webhook_cursors
     ${selectMovedRows('webhook_cursors', ", 'owner', null")}`,
    [cursors, accountId],
  )
  // Replies stay in the cell that received them, and each cell numbers its own.
  await transaction.query(
    `update webhook_cursors c
        set seq = coalesce((select last_seq from reply_sequences s where s.account_id = $1), 0)
       from webhooks w where w.id = c.webhook_id and w.account_id = $1 and w.events = 'replies'`,
    [accountId],
  )
}

/** Failed deliveries of one webhook. A later try changes `tries`, `failed_at` or `retry_at`; the event itself never changes. */
export const movedDeliveries = {
  batch: 1_000,
  async list(
    database: Queryable,
    webhookId: string,
    { after, upTo, limit }: KeyRange,
  ): Promise<KeyVersion[]> {
    const result = await database.query<KeyVersion>(
      `select event_id as key,
              concat_ws('/', tries, extract(epoch from failed_at), extract(epoch from retry_at)) as version
         from webhook_deliveries where webhook_id = $1 and event_id > $2 and ($3::text is null or event_id <= $3)
        order by event_id limit $4`,
      [webhookId, after, upTo, limit],
    )
    return result.rows
  },
  async read(database: Queryable, webhookId: string, eventIds: readonly string[]): Promise<string[]> {
    const result = await database.query<{ row: string }>(
      'select to_json(d)::text as row from webhook_deliveries d where webhook_id = $1 and event_id = any($2)',
      [webhookId, eventIds],
    )
    return result.rows.map(({ row }) => row)
  },
  async write(transaction: Queryable, _webhookId: string, rows: readonly string[]): Promise<void> {
    await transaction.query(
      `insert into webhook_deliveries
       select r.* from unnest($1::text[]) as row, json_populate_record(null::webhook_deliveries, row::json) as r
       on conflict (webhook_id, event_id) do update
         set tries = excluded.tries, retry_at = excluded.retry_at, failed_at = excluded.failed_at,
             http_status = excluded.http_status, error = excluded.error`,
      [rows],
    )
  },
  async remove(transaction: Queryable, webhookId: string, eventIds: readonly string[]): Promise<void> {
    await transaction.query('delete from webhook_deliveries where webhook_id = $1 and event_id = any($2)', [
      webhookId,
      eventIds,
    ])
  },
}
