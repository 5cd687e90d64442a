/**
 * Stores the URL of a webhook. A receiver may put a token into its path or query, so with a master key the
 * whole URL is encrypted, bound to the webhook and its account, and the column `url` keeps only the public
 * part.
 */
import { ConfigError } from '../../platform/settings/config.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { DamagedCiphertext, isEncrypted, type AssociatedData } from '../../platform/encryption/ciphertext.ts'
import type { EncryptedColumn } from '../../platform/encryption/field-cipher.ts'
import type { FieldCipher } from '../../platform/encryption/field-cipher.ts'
import { maskedUrl, type Webhook } from './webhook.ts'

type WebhookIdentity = Pick<Webhook, 'id' | 'accountId'>

const toAssociatedData = ({ id, accountId }: WebhookIdentity): AssociatedData => [
  'webhooks',
  'encrypted_url',
  id,
  accountId,
]

/** The columns `url` and `encrypted_url`. */
export interface StoredUrl {
  readonly url: string
  /** Null if `url` is the whole URL in plaintext. */
  readonly encryptedUrl: string | null
}

export async function encryptUrl(
  transaction: Queryable,
  cipher: FieldCipher,
  webhook: WebhookIdentity,
  url: string,
): Promise<StoredUrl> {
  const stored = await cipher.encrypt(transaction, url, toAssociatedData(webhook))
  return isEncrypted(stored)
    ? { url: maskedUrl(url), encryptedUrl: stored }
    : { url: stored, encryptedUrl: null }
}

/** Returns the webhook with its whole URL. Needs the master key if the URL is encrypted. */
export async function decryptUrl<Stored extends WebhookIdentity & StoredUrl>(
  database: Queryable,
  cipher: FieldCipher,
  webhook: Stored,
): Promise<Stored> {
  if (webhook.encryptedUrl === null) return webhook
  const url = await cipher.decrypt(database, webhook.encryptedUrl, toAssociatedData(webhook))
  return { ...webhook, url, encryptedUrl: null }
}

/** Like `decryptUrl`, but a damaged URL stays as it is stored, with its `encryptedUrl`. */
export function decryptUnlessDamaged<Stored extends WebhookIdentity & StoredUrl>(
  ...[database, cipher, webhook]: Parameters<typeof decryptUrl<Stored>>
): Promise<Stored> {
  return decryptUrl(database, cipher, webhook).catch((error: unknown) => {
    if (error instanceof DamagedCiphertext) return webhook
    throw error
  })
}

/**
 * Like `decryptUnlessDamaged`, for the owner: the URL also stays as stored while this process has no master
 * key yet.
 */
export function decryptIfReadable<Stored extends WebhookIdentity & StoredUrl>(
  ...[database, cipher, webhook]: Parameters<typeof decryptUrl<Stored>>
): Promise<Stored> {
  return decryptUnlessDamaged(database, cipher, webhook).catch((error: unknown) => {
    if (error instanceof ConfigError) return webhook
    throw error
  })
}

export const webhookUrls: EncryptedColumn = {
  name: 'webhooks.url',
  async page(database, after, limit) {
    const result = await database.query<WebhookIdentity & StoredUrl>(
      `select id, account_id as "accountId", url, encrypted_url as "encryptedUrl" from webhooks
        where id > $1 order by id limit $2`,
      [after, limit],
    )
    return result.rows.map((row) => ({
      key: row.id,
      stored: row.encryptedUrl ?? row.url,
      associatedData: toAssociatedData(row),
    }))
  },
  async replace(transaction, changes) {
    const result = await transaction.query(
      `update webhooks set encrypted_url = c.to, url = coalesce(c.masked, url)
         from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as c (id, "from", "to", masked)
        where webhooks.id = c.id and c."from" in (encrypted_url, url)`,
      [
        changes.map(({ key }) => key),
        changes.map(({ from }) => from),
        changes.map(({ to }) => to),
        changes.map(({ from }) => (isEncrypted(from) ? null : maskedUrl(from))),
      ],
    )
    return result.rowCount ?? 0
  },
}
