/**
 * Changes the settings of a webhook, for the API and the command line. A receiver is proved before anything is locked, because it may take
 * many seconds to answer; the change is refused when what was proved has changed meanwhile. A refused change throws a Problem.
 */
import { clock } from '../platform/clock.ts'
import { inTransaction, type Transactional } from '../platform/database.ts'
import { invalidField } from '../contract/problem.ts'
import { applyChanges, checkUrl, limitPush, requireReadable, type WebhookContext } from './actions.ts'
import { readSecrets } from './encrypted-secrets.ts'
import type { Guard } from './guard.ts'
import { proveReceiver } from './prove-url.ts'
import { lockWebhook, updateWebhook, type UrlSetBy, type WebhookView } from './queries.ts'
import { skipExpired } from './replay.ts'
import { invalidWebhookId, originOf, pushLifetimeMs, type WebhookSettings } from './webhook.ts'

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
  const before = await requireReadable(context, accountId, id)
  const settings = applyChanges(before, changes)
  checkUrlOf(guard, before, changes)
  if (!needsProof(context, before, changes)) return null
  if (before.encryptedUrl !== null && changes.url === undefined) throw unreadable()
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
  const before = await requireReadable(context, accountId, id)
  const settings = applyChanges(before, changes)
  checkUrlOf(guard, before, changes)
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
        'the webhook was changed by another request before its receiver had proved that it holds the secret; repeat the request',
      )
  }
  if (settings.enabled && !before.enabled)
    await skipExpired(database, accountId, before, clock.cutoff(pushLifetimeMs))
  const stored = { ...settings, ...by, hasNewUrl: hasNewUrl(before, changes) }
  if (!(await updateWebhook(database, accountId, id, stored, cipher))) throw invalidWebhookId()
  return requireReadable(context, accountId, id)
}

/** Whatever is given replaces a URL that cannot be decrypted. */
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

function checkUrlOf(guard: Guard, before: WebhookView, changes: WebhookChanges): void {
  if (hasNewUrl(before, changes)) return checkUrl(guard, changes.url!)
  const refusal = guard.refuseUrl(before.encryptedUrl === null ? before.url : originOf(before.url))
  if (refusal !== null) throw invalidField('A851', 'url', refusal)
}

function unreadable(): Error {
  return invalidField(
    'A851',
    'url',
    'the stored URL cannot be read, and its receiver not be asked for a proof; send the URL with this change',
  )
}
