/** `postern webhook list` and `postern webhook show`. Never prints a secret. */
import { loadAccounts } from '../../accounts/queries.ts'
import { readWebhooks, type WebhookView } from '../../webhooks/queries.ts'
import { showWebhook as viewWebhook } from '../../webhooks/schema.ts'
import { createTimeFormat } from '../../contract/times.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import { table, type Result } from '../result.ts'
import { requireAccountId } from '../account/view.ts'
import { requireWebhook } from './context.ts'

const titles = ['id', 'account', 'state', 'behind', 'retrying', 'given up', 'url']

export function listWebhooks(
  invocation: Invocation<'timeZone'>,
  { account }: { readonly account?: string },
): Promise<Result> {
  return withDatabase(invocation, async (database, { timeZone }) => {
    const formatTime = createTimeFormat(timeZone)
    const accountId = account === undefined ? null : await requireAccountId(database, account)
    const clientIds = new Map((await loadAccounts(database)).map(({ id, clientId }) => [id, clientId]))
    const listed = (await readWebhooks(database, accountId)).map((webhook) => ({
      webhook,
      owner: clientIds.get(webhook.accountId) ?? '-',
    }))
    const rows = listed.map(({ webhook, owner }) => [
      ...[webhook.id, owner, stateOf(webhook)],
      ...[String(webhook.behind), String(webhook.retrying), String(webhook.givenUp), webhook.url],
    ])
    return {
      json: {
        webhooks: listed.map(({ webhook, owner }) => ({
          account: owner,
          ...viewWebhook(webhook, formatTime),
        })),
      },
      lines: rows.length === 0 ? ['there are no webhooks'] : table([titles, ...rows]),
    }
  })
}

export function showWebhook(invocation: Invocation<'timeZone'>, id: string): Promise<Result> {
  return withDatabase(invocation, async (database, { timeZone }) => {
    const formatTime = createTimeFormat(timeZone)
    const { webhook, account } = await requireWebhook(database, id)
    const shown = { account: account.clientId, ...viewWebhook(webhook, formatTime) }
    return {
      json: shown,
      lines: Object.entries(shown).map(([name, value]) => `${name.padEnd(20)} ${String(value)}`),
    }
  })
}

function stateOf({ enabled, failingSince, disabledReason }: WebhookView): string {
  if (!enabled) return `disabled (${disabledReason ?? ''})`
  return failingSince === null ? 'enabled' : 'failing'
}
