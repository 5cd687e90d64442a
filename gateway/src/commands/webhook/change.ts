/** `postern webhook add`, `set` and `remove`. The secret is printed once, by `add`. */
import { maskUrl, originOf, setWebhook as changeSettings } from '../../acts/webhooks.ts'
import { addWebhook } from '../../webhooks/actions.ts'
import { deleteWebhook } from '../../webhooks/queries.ts'
import { showWebhook } from '../../webhooks/schema.ts'
import type { WebhookEvents } from '../../webhooks/webhook.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { WebhookSetting } from '../setting-lists.ts'
import { withWebhook, withWebhooks, withWebhooksOf } from './context.ts'
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
  return withWebhooksOf(invocation, options.account, async (context, { id: accountId }) => {
    // Reports go to the URL, without a proof that it is the account's.
    await context.audit.requireRight('reveal')
    const { url, secret: given, events } = options
    const settings = { ...toWebhookSettings(options), url, secret: given, events }
    const { id, secret } = await context.audit.change(async (transaction) => {
      const added = await addWebhook({ ...context, database: transaction }, accountId, settings)
      const details = { url: originOf(added.url) }
      return [added, { target: added.id, account: options.account, details }] as const
    })
    return {
      json: { webhookId: id, secret },
      lines: [
        `webhook  ${id}`,
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
  return withWebhook(invocation, id, async ({ audit }, account) => {
    await audit.change(async (transaction) => {
      await deleteWebhook(transaction, account.id, id)
      return [null, { target: id, account: account.clientId }]
    })
    return {
      json: { webhookId: id, removed: true },
      lines: [`${id}: removed; its reports stay available by polling and inquiry`],
    }
  })
}
