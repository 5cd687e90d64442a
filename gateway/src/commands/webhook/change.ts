/** `postern webhook add`, `set` and `remove`. The secret is printed once, by `add`. */
import {
  addWebhookOf,
  maskUrl,
  removeWebhook as remove,
  setWebhook as changeSettings,
} from '../../acts/webhooks.ts'
import { showWebhook } from '../../webhooks/schema.ts'
import type { WebhookEvents } from '../../webhooks/webhook.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { WebhookSetting } from '../setting-lists.ts'
import { withWebhooks } from './context.ts'
import { toWebhookSettings, type WebhookOptions } from './settings.ts'

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
    return {
      json: { webhookId: webhook.id, secret },
      lines: [
        `webhook  ${webhook.id}`,
        `secret   ${secret}`,
        'The secret is not shown again; `postern webhook rotate` creates another.',
      ],
    }
  })
}

export function setWebhook(
  invocation: Invocation<WebhookSetting>,
  id: string,
  options: WebhookOptions,
): Promise<Result> {
  return withWebhooks(invocation, async (context) => {
    const { webhook, account } = await changeSettings(context, id, toWebhookSettings(options))
    return {
      json: { account: account.clientId, ...showWebhook(maskUrl(webhook), context.formatTime) },
      lines: [`${id}: changed; the worker that pushes follows within two seconds`],
    }
  })
}

export function removeWebhook(invocation: Invocation<WebhookSetting>, id: string): Promise<Result> {
  return withWebhooks(invocation, async (context) => {
    await remove(context, id)
    return {
      json: { webhookId: id, removed: true },
      lines: [`${id}: removed; its reports stay available by polling and inquiry`],
    }
  })
}
