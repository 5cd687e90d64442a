/**
 * Changes the settings of a webhook, for the API and the command line. A receiver is proved before anything is locked, because it may take
 * many seconds to answer; the change is refused when what was proved has changed meanwhile. A refused change throws a Problem.
 */
import { clock } from '../platform/clock.ts'
import { inTransaction, type Transactional } from '../platform/database.ts'
import { DamagedCiphertext } from '../platform/encryption/ciphertext.ts'
import { invalidField } from '../contract/problem.ts'
import {
  applyChanges,
  checkUrl,
  limitPush,
  requireWebhook,
  requireWithUrl,
  type WebhookContext,
} from './actions.ts'
import { readSecrets } from './encrypted-secrets.ts'
import type { Guard } from './guard.ts'
import { proveReceiver } from './prove-url.ts'
import { lockWebhook, updateWebhook, type UrlSetBy, type WebhookView } from './queries.ts'
import { skipExpired } from './replay.ts'
import { invalidWebhookId, pushLifetimeMs, type WebhookSettings } from './webhook.ts'

export type WebhookChanges = { readonly [Key in keyof WebhookSettings]?: WebhookSettings[Key] | undefined }

/** What the receiver has proved. */
export interface Proof extends Pick<WebhookSettings, 'url' | 'acknowledgement'> {
  readonly secret: string
}

export async function changeWebhook(
  context: WebhookContext,
  accountId: number,
  id: string,
  changes: WebhookChanges,
  by: UrlSetBy = {},
): Promise<WebhookView> {
  const proof = await proveChange(context, accountId, id, changes)
  return inTransaction(context.database, (transaction) =>
    applyChange({ ...context, database: transaction }, accountId, id, { changes, proof, by }),
  )
}

/** Has the receiver prove what the changes need; null when they need no proof. Its caller must hold no lock. */
export async function proveChange(
  context: WebhookContext,
  accountId: number,
  id: string,
  changes: WebhookChanges,
): Promise<Proof | null> {
  const { database, guard, cipher } = context
  const before = await readBefore(context, accountId, id, changes)
  const settings = applyChanges(before, changes)
  checkUrlOf(guard, before, settings)
  if (!needsProof(context, before, settings)) return null
  await limitPush(context, accountId, settings.url)
  const { secret } = await readSecrets(database, before, cipher)
  await proveReceiver(guard, { ...settings, events: before.events }, secret)
  return { url: settings.url, acknowledgement: settings.acknowledgement, secret }
}

export async function applyChange(
  context: WebhookContext & { readonly database: Transactional },
  accountId: number,
  id: string,
  {
    changes,
    proof,
    by = {},
  }: { readonly changes: WebhookChanges; readonly proof: Proof | null; readonly by?: UrlSetBy },
): Promise<WebhookView> {
  const { database, guard, cipher } = context
  await lockWebhook(database, accountId, id)
  const before = await readBefore(context, accountId, id, changes)
  const settings = applyChanges(before, changes)
  checkUrlOf(guard, before, settings)
  if (needsProof(context, before, settings)) {
    const { secret } = await readSecrets(database, before, cipher)
    const isProved =
      proof?.url === settings.url &&
      proof.acknowledgement === settings.acknowledgement &&
      proof.secret === secret
    if (!isProved)
      throw invalidField(
        'A851',
        'url',
        'the webhook was changed by another request before its receiver had proved that it holds the secret; repeat the request',
      )
  }
  if (settings.enabled && !before.enabled)
    await skipExpired(database, accountId, before, new Date(clock.now() - pushLifetimeMs))
  const hasNewUrl = settings.url !== before.url
  if (!(await updateWebhook(database, accountId, id, { ...settings, ...by, hasNewUrl }, cipher)))
    throw invalidWebhookId()
  return requireWithUrl(context, accountId, id)
}

/** A stored URL that cannot be decrypted any more is replaced by a new one. */
async function readBefore(
  context: WebhookContext,
  accountId: number,
  id: string,
  { url }: WebhookChanges,
): Promise<WebhookView> {
  try {
    return await requireWithUrl(context, accountId, id)
  } catch (error) {
    if (url === undefined || !(error instanceof DamagedCiphertext)) throw error
    return requireWebhook(context.database, accountId, id)
  }
}

function needsProof(
  { requiresProof = false }: WebhookContext,
  before: WebhookSettings,
  { url, enabled }: WebhookSettings,
): boolean {
  return requiresProof && enabled && (url !== before.url || !before.enabled)
}

function checkUrlOf(guard: Guard, before: WebhookSettings, { url }: WebhookSettings): void {
  if (url !== before.url) return checkUrl(guard, url)
  const refusal = guard.refuseUrl(url)
  if (refusal !== null) throw invalidField('A851', 'url', refusal)
}
