/** `postern webhook rotate`: replaces the secret; the previous one signs as well for a while. */
import { rotateSecret } from '../../webhooks/actions.ts'
import type { Result } from '../result.ts'
import { withWebhook } from './context.ts'

export interface RotateOptions {
  readonly secret?: string
  readonly keepHours?: number
}

export function rotateWebhookSecret(id: string, options: RotateOptions): Promise<Result> {
  return withWebhook(id, async (context, account) => {
    const given = { secret: options.secret, keepPreviousHours: options.keepHours }
    const { secret, previousUntil } = await rotateSecret(context, account.id, id, given)
    const previousSecretUntil = context.formatTime(previousUntil)
    return {
      json: { webhookId: id, secret, previousSecretUntil },
      lines: [`secret   ${secret}`, `The previous secret signs as well until ${previousSecretUntil}.`],
    }
  })
}
