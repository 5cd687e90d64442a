/** Changes, tests and replays webhooks of accounts, for commands and the admin API. */
import type { Account } from '../accounts/account.ts'
import { readAccount, readAccountById } from '../accounts/queries.ts'
import type { Database } from '../platform/database.ts'
import {
  addWebhook,
  checkReplay,
  replay,
  rotateSecret,
  testAsOwner,
  testWebhook,
  type ReplayChoice,
  type WebhookContext,
} from '../webhooks/actions.ts'
import { applyChange, proveChange } from '../webhooks/change.ts'
import { deleteWebhook, readWebhooks, type WebhookView } from '../webhooks/queries.ts'
import type { Try } from '../webhooks/try-log.ts'
import { maskedUrl, originOf, type WebhookEvents, type WebhookSettings } from '../webhooks/webhook.ts'
import type { FormatTime } from '../contract/times.ts'
import { noSuchAccount } from './accounts.ts'
import type { ActAudit } from './act-audit.ts'
import { notFound, OperationError } from './errors.ts'

export interface WebhookActContext extends WebhookContext {
  readonly database: Database
  readonly formatTime: FormatTime
  readonly audit: ActAudit
  /** The act is that of the owner of the webhook, who does not learn why a receiver does not respond (`without-response.ts`). */
  readonly isOwner?: boolean
}

export interface OwnedWebhook {
  readonly webhook: WebhookView
  readonly account: Account
}

/** Its URL is as it is stored, until `decryptUrl`. */
export async function requireWebhook(database: Database, id: string): Promise<OwnedWebhook> {
  const [webhook] = await readWebhooks(database, null, id)
  const account = webhook === undefined ? null : await readAccountById(database, webhook.accountId)
  if (webhook === undefined || account === null) throw notFound('webhook', id)
  return { webhook, account }
}

/** The settings that are given; another URL needs the right to say where reports go. */
export async function setWebhook(
  context: WebhookActContext,
  id: string,
  settings: Partial<WebhookSettings>,
): Promise<OwnedWebhook> {
  const { database, audit } = context
  const requireChangeable = async (): Promise<Account> => {
    const { account } = await requireWebhook(database, id)
    if (settings.url !== undefined) await audit.requireRight('reveal')
    requireUnblockedOwner(context, account)
    return account
  }
  const { id: accountId } = await requireChangeable()
  const proof = await proveChange(context, accountId, id, settings)
  // A receiver may take long to prove the change: check again.
  const account = await requireChangeable()
  const webhook = await audit.change(async (transaction) => {
    const given = { changes: settings, proof }
    const changed = await applyChange({ ...context, database: transaction }, account.id, id, given)
    const { url, ...others } = settings
    const details = { ...others, ...(url === undefined ? {} : { url: originOf(url) }) }
    return [changed, { target: id, account: account.clientId, details }] as const
  })
  return { webhook, account }
}

/** The account may have been blocked since the request began, during the proof of a receiver. */
function requireUnblockedOwner({ isOwner = false }: WebhookActContext, { clientId, blocked }: Account): void {
  if (isOwner && blocked)
    throw new OperationError(
      'account-blocked',
      `account '${clientId}' is blocked; ask the operator of the gateway to unblock it, then repeat the request`,
    )
}

export interface NewWebhook extends Partial<WebhookSettings> {
  readonly url: string
  readonly secret?: string | undefined
  readonly events?: WebhookEvents | undefined
}

/** Reports go to the URL, without a proof that it is the account's: it needs the right to say where reports go. */
export async function addWebhookOf(
  context: WebhookActContext,
  clientId: string,
  given: NewWebhook,
): Promise<OwnedWebhook & { readonly secret: string }> {
  const account = await readAccount(context.database, clientId)
  if (account === null) throw noSuchAccount(clientId)
  await context.audit.requireRight('reveal')
  const added = await context.audit.change(async (transaction) => {
    const made = await addWebhook({ ...context, database: transaction }, account.id, given)
    const details = { url: originOf(made.url) }
    return [made, { target: made.id, account: clientId, details }] as const
  })
  return { webhook: added, account, secret: added.secret }
}

export async function removeWebhook(context: WebhookActContext, id: string): Promise<void> {
  const { account } = await requireWebhook(context.database, id)
  await context.audit.change(async (transaction) => {
    await deleteWebhook(transaction, account.id, id)
    return [null, { target: id, account: account.clientId }]
  })
}

/** The previous secret signs as well until `previousUntil`. */
export async function rotateWebhookSecret(
  context: WebhookActContext,
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

/** Pushes a sample report, and returns how the receiver answered. */
export async function testReceiver(context: WebhookActContext, id: string): Promise<Try> {
  const { account } = await requireWebhook(context.database, id)
  const push = context.isOwner === true ? testAsOwner : testWebhook
  return context.audit.around(
    { target: id, account: account.clientId },
    () => push(context, account, id, context.formatTime),
    (answer) => ({ httpStatus: answer.httpStatus }),
  )
}

/** Returns how many reports are pushed again. */
export async function replayReports(
  context: WebhookActContext,
  id: string,
  choice: ReplayChoice,
): Promise<number> {
  const { account } = await requireWebhook(context.database, id)
  // The audit log records the choice: it must be a valid one.
  checkReplay(choice)
  // A replay of everything starts over each time.
  if (choice.allSince !== undefined) await context.limitUse?.('replay', account.id)
  return context.audit.around(
    { target: id, account: account.clientId, details: { ...choice } },
    () => replay(context, account.id, id, choice),
    (count) => ({ reports: count }),
  )
}

/** For everybody but its account. */
export function maskUrl<Webhook extends { readonly url: string }>(webhook: Webhook): Webhook {
  return { ...webhook, url: maskedUrl(webhook.url) }
}
