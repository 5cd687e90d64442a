import { inTransaction, type Queryable, type Transactional } from '../../platform/database/database.ts'
import { plaintextCipher, type FieldCipher } from '../../platform/encryption/field-cipher.ts'
import { encryptSecret } from './encrypted-secrets.ts'
import { encryptUrl, type StoredUrl } from './encrypted-url.ts'
import type { Notice } from './body.ts'
import type { DisableReason, Webhook, WebhookEvents, WebhookSecrets, WebhookSettings } from './webhook.ts'

/** First key of the advisory locks of this module: `webh` in ASCII. */
const lockClass = 0x77656268

export interface FailedDelivery {
  readonly eventId: string
  readonly msgKey: string | null
  readonly step: number | null
  readonly notice: Notice | null
  readonly createdAt: Date
  readonly tries: number
  /** Null if the push was abandoned. */
  readonly retryAt: Date | null
  readonly failedAt: Date
  readonly httpStatus: number | null
  readonly error: string
}

export const webhookColumns = `w.id, w.account_id as "accountId", w.url, w.encrypted_url as "encryptedUrl", w.name, w.per_second as "perSecond", w.concurrency,
  w.timeout_seconds as "timeoutSeconds", w.acknowledgement, w.notices, w.enabled, w.events, w.disabled_reason as "disabledReason",
  w.disabled_at as "disabledAt", w.previous_until as "previousUntil", w.created_at as "createdAt"`

/** A webhook and its current state. The URL is as stored, until `decryptUrl`. */
export interface WebhookView extends Webhook, StoredUrl {
  /** Number of the account's reports, or replies, after the cursor: not pushed yet, or to be pushed again. */
  readonly behind: number
  /** Number of pushes that wait for a retry, and of abandoned pushes; counted up to `maxCounted` each. */
  readonly retrying: number
  readonly givenUp: number
  /** Start of the period in which every push has failed. */
  readonly failingSince: Date | null
  /** Set while the account is blocked; the webhook continues after the unblock. */
  readonly paused: boolean
}

/** Setter of the URL: the id of an API key; null or undefined for a password or an operator. */
export interface UrlSetBy {
  readonly urlSetBy?: string | null
}

/**
 * Lists the webhooks whose URL was set with a credential, because revoking it does not stop their reports.
 * URLs are as stored.
 */
export async function listWebhooksSetBy(
  database: Queryable,
  accountId: number,
  keyId: string,
): Promise<{ readonly id: string; readonly url: string; readonly enabled: boolean }[]> {
  const result = await database.query<{ id: string; url: string; enabled: boolean }>(
    'select id, url, enabled from webhooks where account_id = $1 and url_set_by = $2 order by id',
    [accountId, keyId],
  )
  return result.rows
}

export async function disableWebhooksSetBy(
  transaction: Queryable,
  accountId: number,
  keyId: string,
): Promise<void> {
  await transaction.query(
    `update webhooks set enabled = false, disabled_reason = 'owner', disabled_at = now()
      where account_id = $1 and url_set_by = $2 and enabled`,
    [accountId, keyId],
  )
}

/** Pushes of a webhook are counted up to this number: one request may count for 20 webhooks. */
export const maxCounted = 1_000

/**
 * Inserts a webhook that receives reports or replies written from now on. Returns false if the account
 * already has `limit` webhooks.
 */
export function insertWebhook(
  database: Transactional,
  webhook: Pick<Webhook, 'id' | 'accountId'> &
    Pick<WebhookSecrets, 'secret'> &
    WebhookSettings &
    UrlSetBy & {
      /** Reason if the webhook is not enabled; 'owner' by default. */
      readonly disabledReason?: DisableReason
      readonly events?: WebhookEvents
    },
  limit: number,
  cipher: FieldCipher = plaintextCipher,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const secret = await encryptSecret(transaction, cipher, webhook, webhook.secret)
    const { url, encryptedUrl } = await encryptUrl(transaction, cipher, webhook, webhook.url)
    // The lock is a separate statement, because the count must see everything that was committed while this
    // transaction waited for the lock.
    await transaction.query('select pg_advisory_xact_lock($1, $2)', [lockClass, webhook.accountId])
    const result = await transaction.query(
      `insert into webhooks (id, account_id, url, name, per_second, concurrency, timeout_seconds, acknowledgement,
                             notices, enabled, disabled_reason, disabled_at, secret, url_set_by, events, encrypted_url)
       select $1, $2::integer, $3, $4, $5, $6, $7, $8, $9, $10::boolean,
              case when not $10::boolean then $14 end, case when not $10::boolean then now() end, $11, $13, $15, $16
        where (select count(*) from webhooks where account_id = $2::integer) < $12`,
      [
        webhook.id,
        webhook.accountId,
        ...settingValues({ ...webhook, url }),
        secret,
        limit,
        webhook.urlSetBy ?? null,
        webhook.disabledReason ?? 'owner',
        webhook.events ?? 'reports',
        encryptedUrl,
      ],
    )
    if (result.rowCount !== 1) return false
    await transaction.query(
      `insert into webhook_cursors (webhook_id, account_id, seq)
       select $1, $2, coalesce((select last_seq from ${getSequenceTable(webhook.events)} where account_id = $2), 0)`,
      [webhook.id, webhook.accountId],
    )
    return true
  })
}

function getSequenceTable(events: WebhookEvents = 'reports'): string {
  return events === 'reports' ? 'report_sequences' : 'reply_sequences'
}

function settingValues(settings: WebhookSettings): unknown[] {
  const { url, name, perSecond, concurrency, timeoutSeconds, acknowledgement, notices, enabled } = settings
  return [url, name, perSecond, concurrency, timeoutSeconds, acknowledgement, notices, enabled]
}

/** Locks the webhook until the transaction ends, so a secret or URL that is read afterwards stays. */
export async function lockWebhook(transaction: Queryable, accountId: number, id: string): Promise<void> {
  const values = [id, accountId]
  await transaction.query('select from webhooks where id = $1 and account_id = $2 for no key update', values)
}

/**
 * Updates a webhook, and clears its failure time if it is enabled. One that is enabled again continues where it stopped.
 * Returns false if the account has no such webhook.
 */
export function updateWebhook(
  database: Transactional,
  accountId: number,
  id: string,
  settings: WebhookSettings &
    UrlSetBy & { /** If false, the stored URL is kept. */ readonly hasNewUrl: boolean },
  cipher: FieldCipher = plaintextCipher,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const { url, encryptedUrl } = settings.hasNewUrl
      ? await encryptUrl(transaction, cipher, { id, accountId }, settings.url)
      : { url: '', encryptedUrl: null }
    const result = await transaction.query<{ enabled: boolean }>(
      `update webhooks set url_set_by = case when $12::boolean then $11 else url_set_by end,
         url = case when $12::boolean then $3 else url end, encrypted_url = case when $12::boolean then $13 else encrypted_url end,
         name = $4, per_second = $5, concurrency = $6, timeout_seconds = $7, acknowledgement = $8, notices = $9, enabled = $10::boolean,
         disabled_reason = case when $10::boolean then null when enabled then 'owner' else disabled_reason end,
         disabled_at = case when $10::boolean then null when enabled then now() else disabled_at end
        where id = $1 and account_id = $2`,
      [
        id,
        accountId,
        ...settingValues({ ...settings, url }),
        settings.urlSetBy ?? null,
        settings.hasNewUrl,
        encryptedUrl,
      ],
    )
    if (result.rowCount !== 1) return false
    if (settings.enabled)
      await transaction.query(
        'update webhook_cursors set failing_since = null, epoch = epoch + 1 where webhook_id = $1 and failing_since is not null',
        [id],
      )
    return true
  })
}

/**
 * Replaces the secret. The previous one signs as well until `previousUntil`; the one before it stops signing.
 */
export function replaceSecret(
  database: Transactional,
  webhook: Pick<Webhook, 'id' | 'accountId'>,
  { secret, previousUntil }: { readonly secret: string; readonly previousUntil: Date },
  cipher: FieldCipher = plaintextCipher,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const stored = await encryptSecret(transaction, cipher, webhook, secret)
    const result = await transaction.query(
      `update webhooks set previous_secret = secret, previous_until = $4, secret = $3 where id = $1 and account_id = $2`,
      [webhook.id, webhook.accountId, stored, previousUntil],
    )
    return result.rowCount === 1
  })
}

/** Erases previous secrets that no longer sign, and returns their number. */
export async function erasePreviousSecrets(database: Queryable, now: Date): Promise<number> {
  const result = await database.query(
    'update webhooks set previous_secret = null, previous_until = null where previous_until <= $1',
    [now],
  )
  return result.rowCount ?? 0
}

export async function deleteWebhook(database: Queryable, accountId: number, id: string): Promise<boolean> {
  const result = await database.query('delete from webhooks where id = $1 and account_id = $2', [
    id,
    accountId,
  ])
  return result.rowCount === 1
}

/** Returns false if the webhook was already disabled. */
export async function disableWebhook(
  database: Queryable,
  id: string,
  reason: DisableReason,
): Promise<boolean> {
  const result = await database.query(
    `update webhooks set enabled = false, disabled_reason = $2, disabled_at = now() where id = $1 and enabled`,
    [id, reason],
  )
  return result.rowCount === 1
}

const countUpToMax = (condition: string): string =>
  `(select count(*) from (select from webhook_deliveries d where d.webhook_id = w.id and d.retry_at is ${condition} limit ${maxCounted}) n)`

/** SQL query of webhooks `w` with their cursors `c`, as `WebhookView`. */
export const selectViews = `select ${webhookColumns}, c.failing_since as "failingSince",
            greatest(coalesce(case w.events when 'reports' then h.last_seq else p.last_seq end, 0) - c.seq, 0) as behind,
            ${countUpToMax('not null')} as retrying, ${countUpToMax('null')} as "givenUp",
            coalesce((select a.blocked from accounts a where a.id = w.account_id), false) as paused
       from webhooks w join webhook_cursors c on c.webhook_id = w.id
       left join report_sequences h on h.account_id = w.account_id
       left join reply_sequences p on p.account_id = w.account_id`

/** Returns the webhooks of one account, or of all accounts by account; oldest first. */
export async function readWebhooks(
  database: Queryable,
  accountId: number | null,
  id: string | null = null,
): Promise<WebhookView[]> {
  const result = await database.query<WebhookView>(
    `${selectViews}
      where ($1::integer is null or w.account_id = $1) and ($2::text is null or w.id = $2)
      order by w.account_id, w.id`,
    [accountId, id],
  )
  return result.rows
}

const maxFailuresShown = 100

export type DeliveryFailureView = Pick<
  FailedDelivery,
  'eventId' | 'tries' | 'retryAt' | 'failedAt' | 'httpStatus' | 'error'
>

/** Returns the last pushes that are not acknowledged yet, newest first. */
export async function readFailedDeliveries(
  database: Queryable,
  webhookId: string,
): Promise<DeliveryFailureView[]> {
  const result = await database.query<DeliveryFailureView>(
    `select event_id as "eventId", tries, retry_at as "retryAt", failed_at as "failedAt",
            http_status as "httpStatus", error
       from webhook_deliveries where webhook_id = $1 order by failed_at desc, event_id limit ${maxFailuresShown}`,
    [webhookId],
  )
  return result.rows
}
