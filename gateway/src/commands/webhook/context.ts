/** Opens what the webhook commands need. */
import type { StoredAccount } from '../../accounts/account.ts'
import { whileServed } from '../../acts/served.ts'
import { whileWebhookServed, type WebhookActContext } from '../../acts/webhooks.ts'
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

/** Work on the webhooks of an account that this cell serves. */
export function withWebhooksOf<T>(
  invocation: Invocation<WebhookSetting>,
  clientId: string,
  work: (context: WebhookActContext, account: StoredAccount) => Promise<T>,
): Promise<T> {
  return withWebhooks(invocation, (context) =>
    whileServed(context.database, [clientId], ([account]) => work(context, account!)),
  )
}

/** Work on one webhook of an account that this cell serves. */
export function withWebhook<T>(
  invocation: Invocation<WebhookSetting>,
  id: string,
  work: (context: WebhookActContext, account: StoredAccount) => Promise<T>,
): Promise<T> {
  return withWebhooks(invocation, (context) =>
    whileWebhookServed(context.database, id, (account) => work(context, account)),
  )
}
