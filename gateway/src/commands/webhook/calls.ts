/** The commands of webhooks over the admin API. */
import { createTimeFormat, type FormatTime } from '../../contract/times.ts'
import { loadSettings } from '../../platform/config.ts'
import type { AdminClient, Item } from '../client/client.ts'
import { FailedError } from '../errors.ts'
import type { Result } from '../result.ts'
import { toWebhookSettings, type WebhookOptions } from './settings.ts'
import {
  addedResult,
  changedResult,
  deliveriesResult,
  removedResult,
  replayedResult,
  rotatedResult,
  testedResult,
  webhookResult,
  webhooksResult,
  type OwnedWebhook,
} from './view.ts'
import type { WebhookEvents } from '../../webhooks/webhook.ts'

export interface RotateOptions {
  readonly secret?: string
  readonly keepHours?: number
}

export interface ListOptions {
  readonly account?: string
  readonly reveal?: true
}

export interface ReplayOptions {
  readonly msgKey?: string
  readonly failedSince?: string
  readonly allSince?: string
}

export interface AddOptions extends WebhookOptions {
  readonly account: string
  readonly url: string
  readonly secret?: string
  readonly events?: WebhookEvents
}

type Answered = Item<'listWebhooks'>

/** In the time zone of whoever runs the command, as on the database. */
const formatTime = (): FormatTime => createTimeFormat(loadSettings(['timeZone']).timeZone)
const dateOf = (time: string | null): Date | null => (time === null ? null : new Date(time))

function toOwned({ account: owner, ...webhook }: Answered): OwnedWebhook {
  const { disabledAt, failingSince, previousSecretUntil, createdAt } = webhook
  return {
    owner,
    webhook: {
      ...webhook,
      ...{ disabledAt: dateOf(disabledAt), failingSince: dateOf(failingSince) },
      ...{ previousUntil: dateOf(previousSecretUntil), createdAt: new Date(createdAt) },
    },
  }
}

export async function listWebhooks(admin: AdminClient, { account, reveal }: ListOptions): Promise<Result> {
  if (reveal === true)
    throw new FailedError(
      'the admin API reveals the URL of one webhook at a time: use `postern webhook show ID --reveal --reason …`',
    )
  const found = await admin.readAll((page) => admin.call('listWebhooks', { query: { ...page, account } }))
  return webhooksResult(found.map(toOwned), formatTime())
}

export async function showWebhook(
  admin: AdminClient,
  webhookId: string,
  { reveal }: ListOptions,
): Promise<Result> {
  const query = reveal === true ? { reveal, ...admin.reason } : {}
  const found = await admin.call('showWebhook', { params: { webhookId }, query })
  return webhookResult(toOwned(found), formatTime())
}

export async function addAccountWebhook(admin: AdminClient, options: AddOptions): Promise<Result> {
  const { account, url, secret: given, events } = options
  const { webhook, secret } = await admin.call('addWebhook', {
    params: { clientId: account },
    body: { ...toWebhookSettings(options), url, secret: given, events, ...admin.reason },
  })
  return addedResult(webhook.id, secret)
}

export async function setWebhook(
  admin: AdminClient,
  webhookId: string,
  options: WebhookOptions,
): Promise<Result> {
  const body = { ...toWebhookSettings(options), ...admin.reason }
  return changedResult(toOwned(await admin.call('setWebhook', { params: { webhookId }, body })), formatTime())
}

export async function removeWebhook(admin: AdminClient, webhookId: string): Promise<Result> {
  await admin.call('removeWebhook', { params: { webhookId }, query: admin.reason })
  return removedResult(webhookId)
}

export async function rotateWebhookSecret(
  admin: AdminClient,
  webhookId: string,
  { secret: given, keepHours }: RotateOptions,
): Promise<Result> {
  const { secret, previousUntil } = await admin.call('rotateWebhookSecret', {
    params: { webhookId },
    body: { secret: given, keepPreviousHours: keepHours, ...admin.reason },
  })
  return rotatedResult(webhookId, secret, formatTime()(new Date(previousUntil)))
}

export async function sendTestReport(admin: AdminClient, webhookId: string): Promise<Result> {
  return testedResult(await admin.call('testWebhook', { params: { webhookId }, body: admin.reason }))
}

export async function replayReports(
  admin: AdminClient,
  webhookId: string,
  { msgKey, failedSince, allSince }: ReplayOptions,
): Promise<Result> {
  const body = { msgKey, failedSince, allSince, ...admin.reason }
  const { reports } = await admin.call('replayWebhook', { params: { webhookId }, body })
  return replayedResult(webhookId, reports)
}

export async function listDeliveries(admin: AdminClient, webhookId: string): Promise<Result> {
  const { tries, failed } = await admin.call('listDeliveries', { params: { webhookId } })
  const failures = failed.map((failure) => ({
    ...failure,
    ...{ failedAt: new Date(failure.failedAt), retryAt: dateOf(failure.retryAt) },
  }))
  return deliveriesResult(tries, failures, formatTime())
}
