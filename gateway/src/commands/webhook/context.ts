/** Opens what the webhook commands need, and finds a webhook and its account. */
import type { StoredAccount } from '../../accounts/account.ts'
import { loadAccounts } from '../../accounts/queries.ts'
import { Problem } from '../../contract/problem.ts'
import { createTimeFormat, type FormatTime } from '../../contract/times.ts'
import type { Database } from '../../platform/database.ts'
import type { WebhookContext } from '../../webhooks/actions.ts'
import { guardFromConfig } from '../../webhooks/from-config.ts'
import { readWebhooks, type WebhookView } from '../../webhooks/queries.ts'
import { whileServed } from '../account/served.ts'
import type { CommandAudit } from '../command-audit.ts'
import { withSecrets } from '../connect.ts'
import { FailedError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import type { WebhookSetting } from '../setting-lists.ts'

export interface WebhookCommandContext extends WebhookContext {
  readonly database: Database
  readonly formatTime: FormatTime
  readonly audit: CommandAudit
}

export function withWebhooks<T>(
  invocation: Invocation<WebhookSetting>,
  work: (context: WebhookCommandContext) => Promise<T>,
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
  work: (context: WebhookCommandContext, account: StoredAccount) => Promise<T>,
): Promise<T> {
  return withWebhooks(invocation, (context) =>
    whileServed(context.database, [clientId], ([account]) => work(context, account!)),
  )
}

/** Work on one webhook of an account that this cell serves. */
export function withWebhook<T>(
  invocation: Invocation<WebhookSetting>,
  id: string,
  work: (context: WebhookCommandContext, account: StoredAccount) => Promise<T>,
): Promise<T> {
  return withWebhooks(invocation, async (context) => {
    const { account } = await requireWebhook(context.database, id)
    return whileServed(context.database, [account.clientId], () => work(context, account))
  })
}

export interface OwnedWebhook {
  readonly webhook: WebhookView
  readonly account: StoredAccount
}

export async function requireWebhook(database: Database, id: string): Promise<OwnedWebhook> {
  const [webhook] = await readWebhooks(database, null, id)
  if (webhook === undefined)
    throw new FailedError(`there is no webhook '${id}'; \`postern webhook list\` lists them`)
  const account = (await loadAccounts(database)).find((candidate) => candidate.id === webhook.accountId)!
  return { webhook, account }
}
