/**
 * Stores the secrets of webhooks, encrypted by the cipher of the installation and bound to the webhook and
 * its account.
 */
import type { Queryable } from '../../platform/database/database.ts'
import type { AssociatedData } from '../../platform/encryption/ciphertext.ts'
import type { EncryptedColumn } from '../../platform/encryption/field-cipher.ts'
import { plaintextCipher, type FieldCipher } from '../../platform/encryption/field-cipher.ts'
import { decryptUrl, type StoredUrl } from './encrypted-url.ts'
import { invalidWebhookId, type Webhook, type WebhookSecrets } from './webhook.ts'

type WebhookIdentity = Pick<Webhook, 'id' | 'accountId'>

/**
 * Uses one name for the current and the previous secret, because a rotation moves the ciphertext from one
 * column to the other.
 */
const toAssociatedData = ({ id, accountId }: WebhookIdentity): AssociatedData => [
  'webhooks',
  'secret',
  id,
  accountId,
]

export function encryptSecret(
  transaction: Queryable,
  cipher: FieldCipher,
  webhook: WebhookIdentity,
  secret: string,
): Promise<string> {
  return cipher.encrypt(transaction, secret, toAssociatedData(webhook))
}

/** Columns of the secrets as they are stored. */
export const secretColumns = `w.secret, w.previous_secret as "previousSecret"`

export async function decryptSecrets<
  Stored extends WebhookIdentity & Pick<WebhookSecrets, 'secret' | 'previousSecret'>,
>(database: Queryable, cipher: FieldCipher, stored: Stored): Promise<Stored> {
  const decrypt = (text: string): Promise<string> => cipher.decrypt(database, text, toAssociatedData(stored))
  const { secret, previousSecret } = stored
  return {
    ...stored,
    secret: await decrypt(secret),
    previousSecret: previousSecret === null ? null : await decrypt(previousSecret),
  }
}

interface Secrets extends Pick<WebhookSecrets, 'secret' | 'previousSecret'>, StoredUrl {}

interface Decrypted {
  readonly stored: Secrets
  readonly plaintext: Secrets
}

const pickSecrets = ({ secret, previousSecret, url, encryptedUrl }: Secrets): Secrets => ({
  secret,
  previousSecret,
  url,
  encryptedUrl,
})

function isSame(known: Secrets | undefined, stored: Secrets): boolean {
  return (
    known?.secret === stored.secret &&
    known.previousSecret === stored.previousSecret &&
    known.url === stored.url &&
    known.encryptedUrl === stored.encryptedUrl
  )
}

/**
 * Decrypts the secrets and URLs of all webhooks that a pusher owns, every second. Unchanged ciphertexts are
 * not decrypted again. Keeps the webhooks of the last read only.
 */
export class OwnedSecretsCache {
  #known = new Map<string, Decrypted>()
  #next = new Map<string, Decrypted>()

  startRound(): void {
    this.#known = this.#next
    this.#next = new Map()
  }

  async decrypt<Stored extends WebhookIdentity & Secrets>(
    database: Queryable,
    cipher: FieldCipher,
    webhook: Stored,
  ): Promise<Stored> {
    const stored = pickSecrets(webhook)
    const cached = this.#known.get(webhook.id)
    const plaintext = isSame(cached?.stored, stored)
      ? cached!.plaintext
      : pickSecrets(await decryptUrl(database, cipher, await decryptSecrets(database, cipher, webhook)))
    this.#next.set(webhook.id, { stored, plaintext })
    return { ...webhook, ...plaintext }
  }
}

export async function readSecrets(
  database: Queryable,
  webhook: WebhookIdentity,
  cipher: FieldCipher = plaintextCipher,
): Promise<WebhookSecrets> {
  const result = await database.query<WebhookIdentity & WebhookSecrets>(
    `select w.id, w.account_id as "accountId", ${secretColumns}, w.previous_until as "previousUntil"
       from webhooks w where w.id = $1 and w.account_id = $2`,
    [webhook.id, webhook.accountId],
  )
  if (result.rows[0] === undefined) throw invalidWebhookId()
  return decryptSecrets(database, cipher, result.rows[0])
}

export const webhookSecrets: readonly EncryptedColumn[] = ['secret', 'previous_secret'].map((column) => ({
  name: `webhooks.${column}`,
  async page(database, after, limit) {
    const result = await database.query<WebhookIdentity & { stored: string }>(
      `select id, account_id as "accountId", ${column} as stored from webhooks
        where id > $1 and ${column} is not null order by id limit $2`,
      [after, limit],
    )
    return result.rows.map((row) => ({
      key: row.id,
      stored: row.stored,
      associatedData: toAssociatedData(row),
    }))
  },
  async replace(transaction, changes) {
    const result = await transaction.query(
      `update webhooks set ${column} = c.to from unnest($1::text[], $2::text[], $3::text[]) as c (id, "from", "to")
        where webhooks.id = c.id and ${column} = c."from"`,
      [changes.map(({ key }) => key), changes.map(({ from }) => from), changes.map(({ to }) => to)],
    )
    return result.rowCount ?? 0
  },
}))
