/**
 * The URL of a webhook in the database: a receiver may put a token into its path or query. With a master key the whole URL is
 * encrypted, bound to the webhook and its account, and the column `url` keeps what everybody may see.
 */
import type { Queryable } from '../platform/database.ts'
import { isEncrypted, type Place } from '../platform/encryption/ciphertext.ts'
import type { EncryptedColumn } from '../platform/encryption/encrypted-column.ts'
import type { FieldCipher } from '../platform/encryption/field-cipher.ts'
import { maskedUrl, type Webhook } from './webhook.ts'

type Owner = Pick<Webhook, 'id' | 'accountId'>

const placeOf = ({ id, accountId }: Owner): Place => ['webhooks', 'encrypted_url', id, accountId]

/** The columns `url` and `encrypted_url`. */
export interface StoredUrl {
  readonly url: string
  /** Null: `url` is the whole one. */
  readonly encryptedUrl: string | null
}

export async function encryptUrl(
  transaction: Queryable,
  cipher: FieldCipher,
  webhook: Owner,
  url: string,
): Promise<StoredUrl> {
  const stored = await cipher.encrypt(transaction, url, placeOf(webhook))
  return isEncrypted(stored)
    ? { url: maskedUrl(url), encryptedUrl: stored }
    : { url: stored, encryptedUrl: null }
}

/** With its whole URL. Needs the master key where the URL is encrypted. */
export async function decryptUrl<Stored extends Owner & StoredUrl>(
  database: Queryable,
  cipher: FieldCipher,
  webhook: Stored,
): Promise<Stored> {
  const { encryptedUrl } = webhook
  if (encryptedUrl === null) return webhook
  return {
    ...webhook,
    ...{ url: await cipher.decrypt(database, encryptedUrl, placeOf(webhook)), encryptedUrl: null },
  }
}

export const webhookUrls: EncryptedColumn = {
  name: 'webhooks.url',
  async page(database, after, limit) {
    const result = await database.query<Owner & { stored: string }>(
      `select id, account_id as "accountId", coalesce(encrypted_url, url) as stored from webhooks
        where id > $1 order by id limit $2`,
      [after, limit],
    )
    return result.rows.map((row) => ({ key: row.id, stored: row.stored, place: placeOf(row) }))
  },
  async replace(transaction, changes) {
    const result = await transaction.query(
      `update webhooks set encrypted_url = c.to, url = coalesce(c.masked, url)
         from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as c (id, "from", "to", masked)
        where webhooks.id = c.id and coalesce(encrypted_url, url) = c."from"`,
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
