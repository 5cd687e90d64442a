/** Changes, tests and replays webhooks of accounts. */
import type { Account } from '../../identity/accounts/account.ts'
import { readAccount, readAccountById } from '../../identity/accounts/queries.ts'
import type { Database } from '../../platform/database/database.ts'
import {
  addWebhook,
  checkReplay,
  replayPushes,
  rotateSecret,
  testAsOwner,
  testWebhook,
  type ReplayChoice,
  type WebhookContext,
} from '../../edge/webhooks/actions.ts'
import { applyWebhookChange, proveChange } from '../../edge/webhooks/change.ts'
import { deleteWebhook, readWebhooks, type WebhookView } from '../../edge/webhooks/queries.ts'
import type { PushAttempt } from '../../edge/webhooks/push/attempt-log.ts'
import {
  maskedUrl,
  getUrlOrigin,
  type WebhookEvents,
  type WebhookSettings,
} from '../../edge/webhooks/webhook.ts'
import type { FormatTime } from '../../contract/times.ts'
import { noSuchAccount } from '../find-account.ts'
import type { AuditRecorder } from '../audit-recorder.ts'
import { notFound, OperationError } from '../errors.ts'

export interface WebhookChangeContext extends WebhookContext {
  readonly database: Database
  readonly formatTime: FormatTime
  readonly audit: AuditRecorder
  /**
   * Whether the owner of the webhook acts, who must not learn why a receiver does not respond
   * (`without-response.ts`).
   */
  readonly isOwner?: boolean
}

export interface AccountWebhook {
  readonly webhook: WebhookView
  readonly account: Account
}

/** Returns the webhook with its URL as stored, until `decryptUrl`. */
export async function requireWebhook(database: Database, id: string): Promise<AccountWebhook> {
  const [webhook] = await readWebhooks(database, null, id)
  const account = webhook === undefined ? null : await readAccountById(database, webhook.accountId)
  if (webhook === undefined || account === null) throw notFound('webhook', id)
  return { webhook, account }
}

/** Changes the given settings. A new URL requires the right to choose where reports are sent. */
export async function setWebhook(
  context: WebhookChangeContext,
  id: string,
  settings: Partial<WebhookSettings>,
): Promise<AccountWebhook> {
  const { database, audit } = context
  const requireChangeable = async (): Promise<Account> => {
    const { account } = await requireWebhook(database, id)
    if (settings.url !== undefined) await audit.requireRight('reveal')
    requireUnblockedOwner(context, account)
    return account
  }
  const { id: accountId } = await requireChangeable()
  const proof = await proveChange(context, accountId, id, settings)
  // Check again: a receiver can take long to prove the change.
  const account = await requireChangeable()
  const webhook = await audit.change(async (transaction) => {
    const proven = { changes: settings, proof }
    const changed = await applyWebhookChange({ ...context, database: transaction }, account.id, id, proven)
    const { url, ...others } = settings
    const details = { ...others, ...(url === undefined ? {} : { url: getUrlOrigin(url) }) }
    return [changed, { target: id, account: account.clientId, details }] as const
  })
  return { webhook, account }
}

/** Refuses a change if the account was blocked since the request began, while its receiver was verified. */
function requireUnblockedOwner(
  { isOwner = false }: WebhookChangeContext,
  { clientId, blocked }: Account,
): void {
  if (isOwner && blocked)
    throw new OperationError(
      'account-blocked',
      `account '${clientId}' is blocked; ask the gateway operator to unblock it, then retry`,
    )
}

export interface NewWebhook extends Partial<WebhookSettings> {
  readonly url: string
  readonly secret?: string | undefined
  readonly events?: WebhookEvents | undefined
}

/**
 * Adds a webhook. Reports are sent to the URL without verification that it belongs to the account, so this
 * requires the right to choose where reports are sent.
 */
export async function addAccountWebhook(
  context: WebhookChangeContext,
  clientId: string,
  given: NewWebhook,
): Promise<AccountWebhook & { readonly secret: string }> {
  const account = await readAccount(context.database, clientId)
  if (account === null) throw noSuchAccount(clientId)
  await context.audit.requireRight('reveal')
  const added = await context.audit.change(async (transaction) => {
    const addedWebhook = await addWebhook({ ...context, database: transaction }, account.id, given)
    const details = { url: getUrlOrigin(addedWebhook.url) }
    return [addedWebhook, { target: addedWebhook.id, account: clientId, details }] as const
  })
  return { webhook: added, account, secret: added.secret }
}

export async function removeWebhook(context: WebhookChangeContext, id: string): Promise<void> {
  const { account } = await requireWebhook(context.database, id)
  await context.audit.change(async (transaction) => {
    await deleteWebhook(transaction, account.id, id)
    return [null, { target: id, account: account.clientId }]
  })
}

/** Replaces the secret. The previous one also signs until `previousUntil`. */
export async function rotateWebhookSecret(
  context: WebhookChangeContext,
  id: string,
  given: { readonly secret?: string | undefined; readonly keepPreviousHours?: number | undefined },
): Promise<{ readonly secret: string; readonly previousUntil: Date }> {
  const { account } = await requireWebhook(context.database, id)
  return context.audit.change(async (transaction) => {
    const rotated = await rotateSecret({ ...context, database: transaction }, account.id, id, given)
    const details = { previousUntil: rotated.previousUntil }
    return [rotated, { target: id, account: account.clientId, details }] as const
  })
}

/** Pushes a sample report, and returns the response of the receiver. */
export async function testReceiver(context: WebhookChangeContext, id: string): Promise<PushAttempt> {
  const { account } = await requireWebhook(context.database, id)
  const push = context.isOwner === true ? testAsOwner : testWebhook
  return context.audit.around(
    { target: id, account: account.clientId },
    () => push(context, account, id, context.formatTime),
    ({ httpStatus }) => ({ httpStatus }),
  )
}

/** Returns the number of reports that are pushed again. */
export async function replayReports(
  context: WebhookChangeContext,
  id: string,
  choice: ReplayChoice,
): Promise<number> {
  const { account } = await requireWebhook(context.database, id)
  // Validated first, because the audit log records the choice.
  checkReplay(choice)
  // A replay of everything starts over each time, so it is limited.
  if (choice.allSince !== undefined) await context.limitUse?.('replay', account.id)
  return context.audit.around(
    { target: id, account: account.clientId, details: { ...choice } },
    () => replayPushes(context, account.id, id, choice),
    (count) => ({ reports: count }),
  )
}

/** Masks path and query of the URL, which may hold a token. */
export function maskUrl<Webhook extends { readonly url: string }>(webhook: Webhook): Webhook {
  return { ...webhook, url: maskedUrl(webhook.url) }
}
