import { Type } from 'typebox'
import { requireAccountId } from '../find-account.ts'
import { findClientIds } from '../routes/list.ts'
import { maskUrl, requireWebhook, setWebhook, type WebhookChangeContext } from './webhooks.ts'
import { createTimeFormat } from '../../contract/times.ts'
import { clock } from '../../platform/time/clock.ts'
import { guardFromConfig } from '../../edge/webhooks/from-config.ts'
import { decryptUrl } from '../../edge/webhooks/encrypted-url.ts'
import { listBySeverity, listWebhookPage } from '../../edge/webhooks/list.ts'
import { maxCounted, readWebhooks, type WebhookView } from '../../edge/webhooks/queries.ts'
import { acknowledgements } from '../../edge/webhooks/webhook.ts'
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
import {
  writeAccess,
  defineOperation,
  personalDataAccess,
  readAccess,
  type RequestContext,
} from '../operation.ts'

export const webhookId = text('ID of the webhook', { minLength: 1, maxLength: 64 })
export const acknowledgement = oneOf(
  acknowledgements,
  'Response that acknowledges a push: any 2xx (status, the default), or 200 with the msgKey in its body (msgKey)',
)
const base = '/admin/v1/webhooks'

export const WebhookSchema = record(
  {
    id: webhookId,
    account: clientId,
    url: text('URL of the receiver; without path and query unless revealed'),
    name: text('Display name'),
    events: oneOf(['reports', 'replies'], 'Pushed events'),
    enabled: flag('Whether it is enabled'),
    disabledReason: nullable(oneOf(['owner', 'gone', 'failing', 'unproved'], 'Why it is disabled')),
    disabledAt: nullable(time('Time since which it is disabled')),
    paused: flag('Whether it is paused because its account is blocked; it resumes after the unblock'),
    failingSince: nullable(time('Time since which every push has failed')),
    behind: whole('Reports not yet pushed'),
    retrying: whole(`Pushes that wait for the next attempt; counted up to ${maxCounted}`),
    givenUp: whole(`Abandoned pushes, without further attempts; counted up to ${maxCounted}`),
    perSecond: whole('Maximum pushes per second'),
    concurrency: whole('Maximum concurrent pushes'),
    timeoutSeconds: whole('Response timeout of a push, in seconds'),
    acknowledgement,
    notices: flag('Whether it receives a notice when another webhook of the account is disabled'),
    previousSecretUntil: nullable(
      time('Time until which the previous secret also signs; null if it does not'),
    ),
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
    perSecond,
    concurrency,
    timeoutSeconds,
    acknowledgement,
    notices: webhook.notices,
    previousSecretUntil: previousUntil !== null && !clock.hasPassed(previousUntil) ? previousUntil : null,
    createdAt: webhook.createdAt,
  }
}

export function toWebhookContext({
  database,
  audit,
  signed,
  services: { config, encryption, limitWebhookUse },
}: RequestContext): WebhookChangeContext {
  const context = {
    database,
    audit,
    cipher: encryption,
    guard: guardFromConfig(config),
    formatTime: createTimeFormat(config.timeZone),
  }
  if (signed.account === null) return context
  // As in the client API, a client that enables a webhook must verify that its receiver has the secret, and
  // its tests and replays are limited.
  return {
    ...context,
    isOwner: true,
    requiresProof: config.webhookVerification === 'yes',
    limitUse: limitWebhookUse,
  }
}

const troublePosition = Type.Tuple([
  Type.Integer({ minimum: 0, maximum: 9 }),
  rowNumber('Backlog of the last webhook', 0),
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
  const clientIds = await findClientIds(
    database,
    rows.map((webhook) => webhook.accountId),
  )
  return rows.map((webhook) => ({ webhook, account: clientIds.get(webhook.accountId) ?? '' }))
}

const toItem = ({ webhook, account }: Listed<WebhookView>) => toWebhook(maskUrl(webhook), account)

const reveal = Type.Optional(
  flag('Show the whole URL; requires the right _webhooks_ and a reason, and is recorded'),
)

export const webhookOperations = [
  defineOperation({
    id: 'listWebhooks',
    method: 'get',
    path: base,
    tag: 'Webhooks',
    summary: 'List webhooks, by ID or worst first',
    access: readAccess(),
    client: 'own',
    action: 'webhook list',
    command: {
      examples: ['', '--account shop-1'],
      columns: ['id', 'account', 'enabled', 'failingSince', 'behind', 'retrying', 'givenUp', 'url'],
    },
    query: {
      ...pageQuery,
      account: Type.Optional(clientId),
      state: Type.Optional(oneOf(['enabled', 'failing', 'disabled'], 'Only webhooks in this state')),
      order: Type.Optional(
        oneOf(
          ['id', 'trouble'],
          'id: oldest first, the default; trouble: failing ones, then those disabled by the gateway, then those with the largest backlog',
        ),
      ),
    },
    data: page(WebhookSchema, 'Webhooks'),
    run: async ({ query: { limit, cursor, account, state, order } }, { database }) => {
      const accountId = account === undefined ? undefined : await requireAccountId(database, account)
      const filter = { accountId, state, limit: limit + 1 }
      if (order !== 'trouble') {
        const after = readCursor(Type.Tuple([Type.String({ maxLength: 64 })]), cursor)?.[0]
        const rows = await listWebhookPage(database, { ...filter, after })
        return toPage(await toListed(database, rows), limit, toItem, ({ webhook }) => [webhook.id])
      }
      const after = readCursor(troublePosition, cursor)
      const rows = await listBySeverity(database, {
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
    access: personalDataAccess(),
    client: 'own',
    action: 'webhook show',
    command: { examples: ['20261115023225000WABCDEFGHIJKLMN'] },
    params: { webhookId },
    query: { reveal },
    data: WebhookSchema,
    run: async ({ params, query }, { database, audit, services: { encryption } }) => {
      const { webhook, account } = await requireWebhook(database, params.webhookId)
      if (query.reveal !== true) return toWebhook(maskUrl(webhook), account.clientId)
      await audit.recordAccess(
        { target: `URL of webhook ${webhook.id}`, account: account.clientId },
        'webhooks',
      )
      return toWebhook(await decryptUrl(database, encryption, webhook), account.clientId)
    },
  }),
  defineOperation({
    id: 'setWebhook',
    method: 'patch',
    path: `${base}/{webhookId}`,
    tag: 'Webhooks',
    summary: 'Change a webhook; omitted settings are kept',
    description:
      'A new URL requires the right _reveal_, because reports are sent to it. Clients cannot change the URL here, and the receiver of a webhook that they enable must prove that it has the secret.',
    access: writeAccess('webhooks'),
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
      url: Type.Optional(text('URL of the receiver', { minLength: 1, maxLength: 2_000 })),
      name: Type.Optional(shownText('Its name', { maxLength: 100 })),
      enabled: Type.Optional(flag('Whether it is enabled')),
      perSecond: Type.Optional(whole('Maximum pushes per second', { minimum: 1, maximum: 1_000 })),
      concurrency: Type.Optional(whole('Maximum concurrent pushes', { minimum: 1, maximum: 100 })),
      timeoutSeconds: Type.Optional(
        whole('Response timeout of a push, in seconds', { minimum: 1, maximum: 30 }),
      ),
      acknowledgement: Type.Optional(acknowledgement),
      notices: Type.Optional(flag('Whether it receives a notice when another webhook is disabled')),
    },
    data: WebhookSchema,
    // The receiver is verified when its webhook is enabled.
    pushes: ({ body: { enabled } }) => enabled === true,
    run: async ({ params, body }, context) => {
      const { webhook, account } = await setWebhook(toWebhookContext(context), params.webhookId, body)
      const [view] = await readWebhooks(context.database, account.id, webhook.id)
      return toWebhook(maskUrl(view ?? webhook), account.clientId)
    },
  }),
]
