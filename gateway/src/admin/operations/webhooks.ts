/** Webhooks of accounts: list, show, set. */
import { Type } from 'typebox'
import { requireAccountId } from '../../acts/accounts.ts'
import { clientIdsOf } from '../../acts/list-routes.ts'
import { maskUrl, requireWebhook, setWebhook, type WebhookActContext } from '../../acts/webhooks.ts'
import { createTimeFormat } from '../../contract/times.ts'
import { clock } from '../../platform/clock.ts'
import { guardFromConfig } from '../../webhooks/from-config.ts'
import { decryptUrl } from '../../webhooks/encrypted-url.ts'
import { listByTrouble, listWebhookPage } from '../../webhooks/list.ts'
import { maxCounted, readWebhooks, type WebhookView } from '../../webhooks/queries.ts'
import { acknowledgements } from '../../webhooks/webhook.ts'
import { readCursor, toPage } from '../cursor.ts'
import {
  clientId,
  flag,
  nullable,
  oneOf,
  page,
  pageQuery,
  record,
  rowNumber,
  shownText,
  text,
  time,
  whole,
} from '../fields.ts'
import { changes, defineOperation, looks, reads, type RequestContext } from '../operation.ts'

export const webhookId = text('Id of the webhook', { minLength: 1, maxLength: 64 })
export const acknowledgement = oneOf(
  acknowledgements,
  'What acknowledges a push: any 2xx (status, the default), or 200 with the msgKey in its body (msgKey)',
)
const base = '/admin/v1/webhooks'

export const Webhook = record(
  {
    id: webhookId,
    account: clientId,
    url: text('Where it pushes; without path and query, unless it is revealed'),
    name: text('Its name, for people'),
    events: oneOf(['reports', 'replies'], 'What it pushes'),
    enabled: flag('Whether it is pushed to'),
    disabledReason: nullable(oneOf(['owner', 'gone', 'failing', 'unproved'], 'Why it is disabled')),
    disabledAt: nullable(time('Since when it is disabled')),
    paused: flag('Whether it waits because its account is blocked; it continues after the unblock'),
    failingSince: nullable(time('Since when every push has failed')),
    behind: whole('Reports that were never pushed'),
    retrying: whole(`Pushes that wait for their next try; counted up to ${maxCounted}`),
    givenUp: whole(`Pushes whose tries are exhausted; counted up to ${maxCounted}`),
    perSecond: whole('Pushes per second at most'),
    concurrency: whole('Pushes at the same time at most'),
    timeoutSeconds: whole('How long a push waits for its answer'),
    acknowledgement,
    notices: flag('Whether it receives a notice when another webhook of the account is disabled'),
    previousSecretUntil: nullable(time('Until when the previous secret signs too; null: it does not')),
    createdAt: time('When it was created'),
  },
  'A webhook and its current state',
  { title: 'Webhook' },
)

export function toWebhook(webhook: WebhookView, account: string) {
  const { id, url, name, events, enabled, disabledReason, disabledAt, failingSince } = webhook
  const { behind, retrying, givenUp, paused, perSecond, concurrency, timeoutSeconds, acknowledgement } =
    webhook
  const { previousUntil } = webhook
  return {
    ...{
      id,
      account,
      url,
      name,
      events,
      enabled,
      disabledReason,
      disabledAt,
      paused,
      failingSince,
      behind,
      retrying,
      givenUp,
    },
    ...{ perSecond, concurrency, timeoutSeconds, acknowledgement, notices: webhook.notices },
    previousSecretUntil: previousUntil !== null && !clock.hasPassed(previousUntil) ? previousUntil : null,
    createdAt: webhook.createdAt,
  }
}

export function contextOf({
  database,
  audit,
  signed,
  services: { config, encryption, limitWebhookUse },
}: RequestContext): WebhookActContext {
  const context = {
    ...{ database, audit, cipher: encryption, guard: guardFromConfig(config) },
    formatTime: createTimeFormat(config.timeZone),
  }
  if (signed.account === null) return context
  // As for the API of clients: a client that enables a webhook proves that its receiver has the secret, and tests and replays so often.
  return {
    ...context,
    ...{ isOwner: true, requiresProof: config.webhookProof === 'yes', limitUse: limitWebhookUse },
  }
}

const troublePosition = Type.Tuple([
  Type.Integer({ minimum: 0, maximum: 9 }),
  rowNumber('Reports that it is behind', 0),
  Type.String({ maxLength: 64 }),
])

interface Listed<View extends WebhookView> {
  readonly webhook: View
  readonly account: string
}

async function toListed<View extends WebhookView>(
  database: RequestContext['database'],
  rows: readonly View[],
): Promise<Listed<View>[]> {
  const clientIds = await clientIdsOf(
    database,
    rows.map((webhook) => webhook.accountId),
  )
  return rows.map((webhook) => ({ webhook, account: clientIds.get(webhook.accountId) ?? '' }))
}

const toItem = ({ webhook, account }: Listed<WebhookView>) => toWebhook(maskUrl(webhook), account)

const reveal = Type.Optional(
  flag('true: show the whole URL; needs the right _webhooks_ and a reason, and is recorded'),
)

export const webhookOperations = [
  defineOperation({
    id: 'listWebhooks',
    method: 'get',
    path: base,
    tag: 'Webhooks',
    summary: 'List webhooks, by id or the worst first',
    access: reads(),
    client: 'own',
    action: 'webhook list',
    command: {
      examples: ['', '--account shop-1'],
      columns: ['id', 'account', 'enabled', 'failingSince', 'behind', 'retrying', 'givenUp', 'url'],
    },
    query: {
      ...pageQuery,
      account: Type.Optional(clientId),
      state: Type.Optional(oneOf(['enabled', 'failing', 'disabled'], 'Only such webhooks')),
      order: Type.Optional(
        oneOf(
          ['id', 'trouble'],
          'id: the oldest first, the default. trouble: failing ones, then disabled by the gateway, then those with the most to push',
        ),
      ),
    },
    data: page(Webhook, 'Webhooks'),
    run: async ({ query: { limit, cursor, account, state, order } }, { database }) => {
      const accountId = account === undefined ? undefined : await requireAccountId(database, account)
      const filter = { accountId, state, limit: limit + 1 }
      if (order !== 'trouble') {
        const after = readCursor(Type.Tuple([Type.String({ maxLength: 64 })]), cursor)?.[0]
        const rows = await listWebhookPage(database, { ...filter, after })
        return toPage(await toListed(database, rows), limit, toItem, ({ webhook }) => [webhook.id])
      }
      const after = readCursor(troublePosition, cursor)
      const rows = await listByTrouble(database, {
        ...filter,
        after: after && { rank: after[0], behind: after[1], id: after[2] },
      })
      return toPage(await toListed(database, rows), limit, toItem, ({ webhook: { rank, behind, id } }) => [
        ...[rank, behind, id],
      ])
    },
  }),
  defineOperation({
    id: 'showWebhook',
    method: 'get',
    path: `${base}/{webhookId}`,
    tag: 'Webhooks',
    summary: 'Show a webhook',
    access: looks(),
    client: 'own',
    action: 'webhook show',
    command: { examples: ['20261115023225000WABCDEFGHIJKLMN'] },
    params: { webhookId },
    query: { reveal },
    data: Webhook,
    run: async ({ params, query }, { database, audit, services: { encryption } }) => {
      const { webhook, account } = await requireWebhook(database, params.webhookId)
      if (query.reveal !== true) return toWebhook(maskUrl(webhook), account.clientId)
      await audit.look({ target: `URL of webhook ${webhook.id}`, account: account.clientId }, 'webhooks')
      return toWebhook(await decryptUrl(database, encryption, webhook), account.clientId)
    },
  }),
  defineOperation({
    id: 'setWebhook',
    method: 'patch',
    path: `${base}/{webhookId}`,
    tag: 'Webhooks',
    summary: 'Change a webhook; what is left out stays',
    description:
      'Another URL needs the right _reveal_: reports go there. A client changes none here, and what it enables must prove that it holds the secret.',
    access: changes('webhooks'),
    client: 'own',
    action: 'webhook set',
    command: {
      examples: [
        '20261115023225000WABCDEFGHIJKLMN --per-second 50',
        '20261115023225000WABCDEFGHIJKLMN --enabled',
      ],
    },
    params: { webhookId },
    body: {
      url: Type.Optional(text('Where it pushes', { minLength: 1, maxLength: 2_000 })),
      name: Type.Optional(shownText('Its name', { maxLength: 100 })),
      enabled: Type.Optional(flag('Whether it is pushed to')),
      perSecond: Type.Optional(whole('Pushes per second at most', { minimum: 1, maximum: 1_000 })),
      concurrency: Type.Optional(whole('Pushes at the same time at most', { minimum: 1, maximum: 100 })),
      timeoutSeconds: Type.Optional(
        whole('How long a push waits for its answer', { minimum: 1, maximum: 30 }),
      ),
      acknowledgement: Type.Optional(acknowledgement),
      notices: Type.Optional(flag('Whether it receives a notice when another webhook is disabled')),
    },
    data: Webhook,
    // A receiver is proved when its webhook is enabled.
    pushes: ({ body: { enabled } }) => enabled === true,
    run: async ({ params, body }, context) => {
      const { webhook, account } = await setWebhook(contextOf(context), params.webhookId, body)
      const [view] = await readWebhooks(context.database, account.id, webhook.id)
      return toWebhook(maskUrl(view ?? webhook), account.clientId)
    },
  }),
]
