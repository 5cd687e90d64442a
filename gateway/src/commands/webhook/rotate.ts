/** `postern webhook rotate`: replaces the secret; the previous one signs as well for a while. */
import { rotateSecret } from '../../webhooks/actions.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { WebhookSetting } from '../setting-lists.ts'
import { withWebhook } from './context.ts'

export interface RotateOptions {
  readonly secret?: string
  readonly keepHours?: number
}

export function rotateWebhookSecret(
  invocation: Invocation<WebhookSetting>,
  id: string,
  options: RotateOptions,
): Promise<Result> {
  return withWebhook(invocation, id, async (context, account) => {
    const given = { secret: options.secret, keepPreviousHours: options.keepHours }
    const { secret, previousUntil } = await context.audit.change(async (transaction) => {
      const rotated = await rotateSecret({ ...context, database: transaction }, account.id, id, given)
      const details = { previousUntil: rotated.previousUntil }
      return [rotated, { target: id, account: account.clientId, details }] as const
    })
    const previousSecretUntil = context.formatTime(previousUntil)
    return {
      json: { webhookId: id, secret, previousSecretUntil },
      lines: [`secret   ${secret}`, `The previous secret signs as well until ${previousSecretUntil}.`],
    }
  })
}
