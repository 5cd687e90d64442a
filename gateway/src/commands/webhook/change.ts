/** `postern webhook add`, `set` and `remove`. The secret is printed once, by `add`. */
import { addWebhook, changeWebhook } from '../../webhooks/actions.ts'
import { deleteWebhook } from '../../webhooks/queries.ts'
import { showWebhook } from '../../webhooks/schema.ts'
import type { Result } from '../result.ts'
import { withWebhook, withWebhooksOf } from './context.ts'
import { toWebhookSettings, type WebhookOptions } from './settings.ts'

export interface AddOptions extends WebhookOptions {
  readonly account: string
  readonly url: string
  readonly secret?: string
}

export function addAccountWebhook(options: AddOptions): Promise<Result> {
  return withWebhooksOf(options.account, async (context, { id: accountId }) => {
    const settings = { ...toWebhookSettings(options), url: options.url, secret: options.secret }
    const { id, secret } = await addWebhook(context, accountId, settings)
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

export function setWebhook(id: string, options: WebhookOptions): Promise<Result> {
  return withWebhook(id, async (context, account) => {
    const webhook = await changeWebhook(context, account.id, id, toWebhookSettings(options))
    return {
      json: { account: account.clientId, ...showWebhook(webhook, context.formatTime) },
      lines: [`${id}: changed; the worker that pushes follows within two seconds`],
    }
  })
}

export function removeWebhook(id: string): Promise<Result> {
  return withWebhook(id, async ({ database }, account) => {
    await deleteWebhook(database, account.id, id)
    return {
      json: { webhookId: id, removed: true },
      lines: [`${id}: removed; its reports stay available by polling and inquiry`],
    }
  })
}
