import { clock } from '../../platform/time/clock.ts'
import { inTransaction, type Transactional } from '../../platform/database/database.ts'
import { invalidField } from '../../contract/problem.ts'
import {
  applyChanges,
  checkUrl,
  limitPush,
  requireWebhookWithUrlIfReadable,
  type WebhookContext,
} from './actions.ts'
import { readSecrets } from './encrypted-secrets.ts'
import type { Guard } from './guard.ts'
import { verifyReceiver } from './verify-receiver.ts'
import { lockWebhook, updateWebhook, type UrlSetBy, type WebhookView } from './queries.ts'
import { skipExpired } from './replay.ts'
import { invalidWebhookId, getUrlOrigin, pushLifetimeMs, type WebhookSettings } from './webhook.ts'

export type WebhookChanges = { readonly [Key in keyof WebhookSettings]?: WebhookSettings[Key] | undefined }

/** Settings with which the receiver proved that it holds the secret. */
export interface ReceiverProof extends Pick<WebhookSettings, 'url' | 'acknowledgement'> {
  readonly secret: string
}

/**
 * Changes the settings of a webhook, for the API and the commands. The receiver is proved before anything is locked,
 * because it may take many seconds to respond; the change is refused if the proved settings have changed in the
 * meantime. Throws a Problem if the change is refused.
 */
export async function changeWebhook(
  context: WebhookContext,
  accountId: number,
  id: string,
  changes: WebhookChanges,
  by: UrlSetBy = {},
): Promise<WebhookView> {
  const proof = await proveChange(context, accountId, id, changes)
  return inTransaction(context.database, (transaction) =>
    applyWebhookChange({ ...context, database: transaction }, accountId, id, { changes, proof, by }),
  )
}

/**
 * Lets the receiver prove what the changes need; returns null if they need no proof. The caller must hold no
 * lock.
 */
export async function proveChange(
  context: WebhookContext,
  accountId: number,
  id: string,
  changes: WebhookChanges,
): Promise<ReceiverProof | null> {
  const { database, guard, cipher } = context
  const before = await requireWebhookWithUrlIfReadable(context, accountId, id)
  const settings = applyChanges(before, changes)
  checkChangedUrl(guard, before, changes)
  if (!needsProof(context, before, changes)) return null
  if (before.encryptedUrl !== null && changes.url === undefined) throw unreadable()
  await limitPush(context, accountId, settings.url)
  const { secret } = await readSecrets(database, before, cipher)
  await verifyReceiver(guard, { ...settings, events: before.events }, secret)
  return { url: settings.url, acknowledgement: settings.acknowledgement, secret }
}

export async function applyWebhookChange(
  context: WebhookContext & { readonly database: Transactional },
  accountId: number,
  id: string,
  {
    changes,
    proof,
    by = {},
  }: { readonly changes: WebhookChanges; readonly proof: ReceiverProof | null; readonly by?: UrlSetBy },
): Promise<WebhookView> {
  const { database, guard, cipher } = context
  await lockWebhook(database, accountId, id)
  const before = await requireWebhookWithUrlIfReadable(context, accountId, id)
  const settings = applyChanges(before, changes)
  checkChangedUrl(guard, before, changes)
  if (needsProof(context, before, changes)) {
    const { secret } = await readSecrets(database, before, cipher)
    const isProved =
      proof?.url === settings.url &&
      proof.acknowledgement === settings.acknowledgement &&
      proof.secret === secret
    if (!isProved)
      throw invalidField(
        'A851',
        'url',
        'another request changed the webhook before its receiver had proved that it holds the secret; retry',
      )
  }
  if (settings.enabled && !before.enabled)
    await skipExpired(database, accountId, before, clock.cutoff(pushLifetimeMs))
  const stored = { ...settings, ...by, hasNewUrl: hasNewUrl(before, changes) }
  if (!(await updateWebhook(database, accountId, id, stored, cipher))) throw invalidWebhookId()
  return requireWebhookWithUrlIfReadable(context, accountId, id)
}

/** Reports whether the URL changes; any given URL replaces one that cannot be decrypted. */
function hasNewUrl(before: WebhookView, { url }: WebhookChanges): boolean {
  return url !== undefined && (url !== before.url || before.encryptedUrl !== null)
}

function needsProof(
  { requiresProof = false }: WebhookContext,
  before: WebhookView,
  changes: WebhookChanges,
): boolean {
  const { enabled = before.enabled } = changes
  return requiresProof && enabled && (hasNewUrl(before, changes) || !before.enabled)
}

function checkChangedUrl(guard: Guard, before: WebhookView, changes: WebhookChanges): void {
  if (hasNewUrl(before, changes)) return checkUrl(guard, changes.url!)
  const refusal = guard.refuseUrl(before.encryptedUrl === null ? before.url : getUrlOrigin(before.url))
  if (refusal !== null) throw invalidField('A851', 'url', refusal)
}

function unreadable(): Error {
  return invalidField('A851', 'url', "the stored URL cannot be decrypted; include 'url' in the request")
}
