/** `postern webhook list` and `postern webhook show`. Never prints a secret, and a whole URL on request. */
import { loadAccounts } from '../../accounts/queries.ts'
import { maskUrl, requireWebhook } from '../../acts/webhooks.ts'
import { decryptUnlessDamaged, decryptUrl } from '../../webhooks/encrypted-url.ts'
import { readWebhooks } from '../../webhooks/queries.ts'
import { createTimeFormat } from '../../contract/times.ts'
import { withSecrets } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { SecretSetting } from '../setting-lists.ts'
import type { Result } from '../result.ts'
import { requireAccountId } from '../account/view.ts'
import { webhookResult, webhooksResult } from './view.ts'

export interface ListOptions {
  readonly account?: string
  readonly reveal?: true
}

export function listWebhooks(
  invocation: Invocation<'timeZone' | SecretSetting>,
  { account, reveal }: ListOptions,
): Promise<Result> {
  return withSecrets(invocation, async (database, { timeZone }, cipher, audit) => {
    if (reveal === true)
      await audit.look({ target: 'URLs of webhooks', account: account ?? null }, 'webhooks')
    const formatTime = createTimeFormat(timeZone)
    const accountId = account === undefined ? null : await requireAccountId(database, account)
    const clientIds = new Map((await loadAccounts(database)).map(({ id, clientId }) => [id, clientId]))
    const found = await readWebhooks(database, accountId)
    // The oldest first, as the admin API lists them.
    found.sort((left, right) => (left.id < right.id ? -1 : 1))
    const listed = []
    for (const webhook of found)
      listed.push({
        webhook: reveal === true ? await decryptUnlessDamaged(database, cipher, webhook) : maskUrl(webhook),
        owner: clientIds.get(webhook.accountId) ?? '',
      })
    return webhooksResult(listed, formatTime)
  })
}

export function showWebhook(
  invocation: Invocation<'timeZone' | SecretSetting>,
  id: string,
  { reveal }: ListOptions,
): Promise<Result> {
  return withSecrets(invocation, async (database, { timeZone }, cipher, audit) => {
    const formatTime = createTimeFormat(timeZone)
    const { webhook, account } = await requireWebhook(database, id)
    if (reveal === true)
      await audit.look({ target: `URL of webhook ${id}`, account: account.clientId }, 'webhooks')
    const shown = reveal === true ? await decryptUrl(database, cipher, webhook) : maskUrl(webhook)
    return webhookResult({ webhook: shown, owner: account.clientId }, formatTime)
  })
}
