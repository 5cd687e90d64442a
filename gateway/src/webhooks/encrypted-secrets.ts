/** The secrets of webhooks in the database, and with them what a pusher needs: encrypted by the cipher of the installation, bound to the webhook and its account. */
import type { Queryable } from '../platform/database.ts'
import type { AssociatedData } from '../platform/encryption/ciphertext.ts'
import type { EncryptedColumn } from '../platform/encryption/field-cipher.ts'
import { inClear, type FieldCipher } from '../platform/encryption/field-cipher.ts'
import { decryptUrl, type StoredUrl } from './encrypted-url.ts'
import { invalidWebhookId, type Webhook, type WebhookSecrets } from './webhook.ts'

type Owner = Pick<Webhook, 'id' | 'accountId'>

/** The same for the current and the previous secret: a rotation moves the ciphertext from one column to the other. */
const toAssociatedData = ({ id, accountId }: Owner): AssociatedData => ['webhooks', 'secret', id, accountId]

export function encryptSecret(
  transaction: Queryable,
  cipher: FieldCipher,
  webhook: Owner,
  secret: string,
): Promise<string> {
  return cipher.encrypt(transaction, secret, toAssociatedData(webhook))
}

/** As they are stored. */
export const secretColumns = `w.secret, w.previous_secret as "previousSecret"`

export async function decryptSecrets<
  Stored extends Owner & Pick<WebhookSecrets, 'secret' | 'previousSecret'>,
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
  readonly clear: Secrets
}

const secretsOf = ({ secret, previousSecret, url, encryptedUrl }: Secrets): Secrets => ({
  ...{ secret, previousSecret, url, encryptedUrl },
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
 * Decrypts the secrets and URLs of all webhooks that a pusher owns, every second: those whose stored texts are the same as before are
 * not decrypted again. Holds the webhooks of the last read and no others.
 */
export class SecretsOfOwned {
  #known = new Map<string, Decrypted>()
  #next = new Map<string, Decrypted>()

  startRound(): void {
    this.#known = this.#next
    this.#next = new Map()
  }

  async decrypt<Stored extends Owner & Secrets>(
    database: Queryable,
    cipher: FieldCipher,
    webhook: Stored,
  ): Promise<Stored> {
    const stored = secretsOf(webhook)
    const known = this.#known.get(webhook.id)
    const clear = isSame(known?.stored, stored)
      ? known!.clear
      : secretsOf(await decryptUrl(database, cipher, await decryptSecrets(database, cipher, webhook)))
    this.#next.set(webhook.id, { stored, clear })
    return { ...webhook, ...clear }
  }
}

export async function readSecrets(
  database: Queryable,
  webhook: Owner,
  cipher: FieldCipher = inClear,
): Promise<WebhookSecrets> {
  const result = await database.query<Owner & WebhookSecrets>(
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
    const result = await database.query<Owner & { stored: string }>(
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
