/** `postern webhook list` and `postern webhook show`. Never prints a secret, and a whole URL on request. */
import { loadAccounts } from '../../accounts/queries.ts'
import { maskUrl, requireWebhook } from '../../acts/webhooks.ts'
import { readWebhooks, type WebhookView } from '../../webhooks/queries.ts'
import { showWebhook as viewWebhook } from '../../webhooks/schema.ts'
import { createTimeFormat } from '../../contract/times.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import { table, type Result } from '../result.ts'
import { requireAccountId } from '../account/view.ts'

const titles = ['id', 'account', 'state', 'behind', 'retrying', 'given up', 'url']

export interface ListOptions {
  readonly account?: string
  readonly reveal?: true
}

export function listWebhooks(
  invocation: Invocation<'timeZone'>,
  { account, reveal }: ListOptions,
): Promise<Result> {
  return withDatabase(invocation, async (database, { timeZone }, audit) => {
    if (reveal === true)
      await audit.look({ target: 'URLs of webhooks', account: account ?? null }, 'webhooks')
    const formatTime = createTimeFormat(timeZone)
    const accountId = account === undefined ? null : await requireAccountId(database, account)
    const clientIds = new Map((await loadAccounts(database)).map(({ id, clientId }) => [id, clientId]))
    const listed = (await readWebhooks(database, accountId)).map((webhook) => ({
      webhook: reveal === true ? webhook : maskUrl(webhook),
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

export function showWebhook(
  invocation: Invocation<'timeZone'>,
  id: string,
  { reveal }: ListOptions,
): Promise<Result> {
  return withDatabase(invocation, async (database, { timeZone }, audit) => {
    const formatTime = createTimeFormat(timeZone)
    const { webhook, account } = await requireWebhook(database, id)
    if (reveal === true)
      await audit.look({ target: `URL of webhook ${id}`, account: account.clientId }, 'webhooks')
    const view = viewWebhook(reveal === true ? webhook : maskUrl(webhook), formatTime)
    const shown = { account: account.clientId, ...view }
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
