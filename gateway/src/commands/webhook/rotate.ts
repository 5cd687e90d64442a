/** `postern webhook rotate`: replaces the secret; the previous one signs as well for a while. */
import { rotateWebhookSecret as rotate } from '../../acts/webhooks.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { WebhookSetting } from '../setting-lists.ts'
import { withWebhooks } from './context.ts'
import { rotatedResult } from './view.ts'

export interface RotateOptions {
  readonly secret?: string
  readonly keepHours?: number
}

export function rotateWebhookSecret(
  invocation: Invocation<WebhookSetting>,
  id: string,
  options: RotateOptions,
): Promise<Result> {
  return withWebhooks(invocation, async (context) => {
    const given = { secret: options.secret, keepPreviousHours: options.keepHours }
    const { secret, previousUntil } = await rotate(context, id, given)
    return rotatedResult(id, secret, context.formatTime(previousUntil))
  })
}
