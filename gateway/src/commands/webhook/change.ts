/** `postern webhook add`, `set` and `remove`. The secret is printed once, by `add`. */
import {
  addWebhookOf,
  maskUrl,
  removeWebhook as remove,
  setWebhook as changeSettings,
} from '../../acts/webhooks.ts'
import type { WebhookEvents } from '../../webhooks/webhook.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { WebhookSetting } from '../setting-lists.ts'
import { withWebhooks } from './context.ts'
import { toWebhookSettings, type WebhookOptions } from './settings.ts'
import { addedResult, changedResult, removedResult } from './view.ts'

export interface AddOptions extends WebhookOptions {
  readonly account: string
  readonly url: string
  readonly secret?: string
  readonly events?: WebhookEvents
}

export function addAccountWebhook(
  invocation: Invocation<WebhookSetting>,
  options: AddOptions,
): Promise<Result> {
  return withWebhooks(invocation, async (context) => {
    const { url, secret: given, events } = options
    const settings = { ...toWebhookSettings(options), url, secret: given, events }
    const { webhook, secret } = await addWebhookOf(context, options.account, settings)
    return addedResult(webhook.id, secret)
  })
}

export function setWebhook(
  invocation: Invocation<WebhookSetting>,
  id: string,
  options: WebhookOptions,
): Promise<Result> {
  return withWebhooks(invocation, async (context) => {
    const { webhook, account } = await changeSettings(context, id, toWebhookSettings(options))
    return changedResult({ webhook: maskUrl(webhook), owner: account.clientId }, context.formatTime)
  })
}

export function removeWebhook(invocation: Invocation<WebhookSetting>, id: string): Promise<Result> {
  return withWebhooks(invocation, async (context) => {
    await remove(context, id)
    return removedResult(id)
  })
}
