/**
 * The webhooks that this process pushes to. One process owns a webhook at a time, so its rate and concurrency
 * hold. A short overlap of two processes does no harm: only the one that fenced the cursor last can move it.
 */
import { ConfigError } from '../../../platform/settings/config.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { DamagedCiphertext } from '../../../platform/encryption/ciphertext.ts'
import { plaintextCipher, type FieldCipher } from '../../../platform/encryption/field-cipher.ts'
import { isLive } from '../../../platform/membership/tables.ts'
import type { RecordSettings } from '../../../records/reports/report-record.ts'
import { webhookColumns } from '../queries.ts'
import type { StoredUrl } from '../encrypted-url.ts'
import { OwnedSecretsCache, secretColumns } from '../encrypted-secrets.ts'
import type { Webhook, WebhookSecrets } from '../webhook.ts'

interface CursorPosition {
  readonly seq: number
  readonly epoch: number
  readonly failingSince: Date | null
}

export interface PushedWebhook extends Webhook, StoredUrl, WebhookSecrets, RecordSettings, CursorPosition {
  readonly nextRetryAt: Date | null
}

/** SQL condition: a live member owns the webhook with this id. */
const isOwned = (id: string): string =>
  `exists (select from owned o join members m on m.id = o.member and ${isLive('m')} where o.kind = 'webhook' and o.key = ${id})`

export interface OwnershipTarget {
  /** Number of webhooks that this process owns if all processes own equally many. */
  readonly target: number
  /** Webhooks without an owner, as many as this process may claim. */
  readonly free: readonly string[]
}

export async function findOwnershipTarget(
  database: Queryable,
  processes: number,
  held: number,
): Promise<OwnershipTarget> {
  const { rows } = await database.query<OwnershipTarget>({
    name: 'find-webhook-share',
    text: `select target, array(
             select w.id from webhooks w join accounts a on a.id = w.account_id
              where w.enabled and not a.blocked and not ${isOwned('w.id')}
              order by w.id limit greatest(0, target - $2::integer)) as free
             from (select ceil(count(*)::real / $1::integer)::integer as target from webhooks where enabled) as s`,
    values: [processes, held],
  })
  return rows[0]!
}

/** Invalidates unsaved progress of earlier owners, and returns where the next owner begins. */
export async function fenceCursors(
  database: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CursorPosition>> {
  if (ids.length === 0) return new Map()
  const { rows } = await database.query<CursorPosition & { readonly id: string }>({
    name: 'fence-webhook-cursors',
    text: `update webhook_cursors set epoch = epoch + 1 where webhook_id = any ($1)
           returning webhook_id as id, seq, epoch, failing_since as "failingSince"`,
    values: [ids],
  })
  return new Map(rows.map(({ id, ...position }) => [id, position]))
}

export type OnUnreadable = (webhookId: string, error: Error) => void

/**
 * Reads the enabled webhooks of accounts that are not blocked. Webhooks whose secret or URL cannot be
 * decrypted are passed to `onUnreadable`.
 */
export async function readOwned(
  database: Queryable,
  ids: readonly string[],
  cipher: FieldCipher = plaintextCipher,
  onUnreadable: OnUnreadable = () => undefined,
  secrets = new OwnedSecretsCache(),
): Promise<PushedWebhook[]> {
  const result = await database.query<PushedWebhook>({
    name: 'read-owned-webhooks',
    text: `select ${webhookColumns}, ${secretColumns}, c.seq, c.epoch, c.failing_since as "failingSince",
                  a.part_counts as "partCounts", a.report_keys as "reportKeys",
                  (select min(retry_at) from webhook_deliveries d where d.webhook_id = w.id) as "nextRetryAt"
             from webhook_cursors c join webhooks w on w.id = c.webhook_id join accounts a on a.id = w.account_id
            where w.id = any ($1) and w.enabled and not a.blocked order by w.id`,
    values: [ids],
  })
  const readable: PushedWebhook[] = []
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
