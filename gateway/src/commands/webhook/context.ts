/** Opens what the webhook commands need. */
import type { WebhookActContext } from '../../acts/webhooks.ts'
import { Problem } from '../../contract/problem.ts'
import { createTimeFormat } from '../../contract/times.ts'
import { guardFromConfig } from '../../webhooks/from-config.ts'
import { withSecrets } from '../connect.ts'
import { FailedError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import type { WebhookSetting } from '../setting-lists.ts'

export function withWebhooks<T>(
  invocation: Invocation<WebhookSetting>,
  work: (context: WebhookActContext) => Promise<T>,
): Promise<T> {
  return withSecrets(invocation, async (database, config, cipher, audit) => {
    const formatTime = createTimeFormat(config.timeZone)
    try {
      return await work({ database, guard: guardFromConfig(config), cipher, formatTime, audit })
    } catch (error) {
      // The text for a client says what to do next, for an operator too.
      throw error instanceof Problem ? new FailedError(error.message) : error
    }
  })
}
