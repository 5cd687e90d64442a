/** Webhooks of accounts: list, show, deliveries, set, test, replay. */
import { Type } from 'typebox'
import { requireAccountId } from '../../acts/accounts.ts'
import { clientIdsOf } from '../../acts/list-routes.ts'
import {
  maskUrl,
  replayReports,
  requireWebhook,
  setWebhook,
  testReceiver,
  type WebhookActContext,
} from '../../acts/webhooks.ts'
import { createTimeFormat } from '../../contract/times.ts'
import { guardFromConfig } from '../../webhooks/from-config.ts'
import {
  listWebhookPage,
  maxCounted,
  readFailures,
  readWebhooks,
  type WebhookView,
} from '../../webhooks/queries.ts'
import { readTries } from '../../webhooks/try-log.ts'
import { acknowledgements } from '../../webhooks/webhook.ts'
import { readCursor, toPage } from '../cursor.ts'
import {
  clientId,
  flag,
  list,
  nullable,
  oneOf,
  page,
  pageQuery,
  record,
  text,
  time,
  whole,
} from '../fields.ts'
import {
  changes,
  defineOperation,
  looks,
  reads,
  type AdminOperation,
  type RequestContext,
} from '../operation.ts'

export const webhookId = text('Id of the webhook', { minLength: 1, maxLength: 64 })
const base = '/admin/v1/webhooks'

export const Webhook = record(
  {
    id: webhookId,
    account: clientId,
    url: text('Where it pushes; without path and query, unless it is revealed'),
    name: text('Its name, for people'),
    enabled: flag('Whether it is pushed to'),
    disabledReason: nullable(oneOf(['owner', 'gone', 'failing', 'unproved'], 'Why it is disabled')),
    disabledAt: nullable(time('Since when it is disabled')),
    failingSince: nullable(time('Since when every push has failed')),
    behind: whole('Reports that were never pushed'),
    retrying: whole(`Pushes that wait for their next try; counted up to ${maxCounted}`),
    givenUp: whole(`Pushes whose tries are exhausted; counted up to ${maxCounted}`),
    perSecond: whole('Pushes per second at most'),
    concurrency: whole('Pushes at the same time at most'),
    timeoutSeconds: whole('How long a push waits for its answer'),
    acknowledgement: oneOf(acknowledgements, 'What acknowledges a push'),
    createdAt: time('When it was created'),
  },
  'A webhook and its current state',
)

export function toWebhook(webhook: WebhookView, account: string) {
  const { id, url, name, enabled, disabledReason, disabledAt, failingSince } = webhook
  const { behind, retrying, givenUp, perSecond, concurrency, timeoutSeconds, acknowledgement } = webhook
  return {
    ...{
      id,
      account,
      url,
      name,
      enabled,
      disabledReason,
      disabledAt,
      failingSince,
      behind,
      retrying,
      givenUp,
    },
    ...{ perSecond, concurrency, timeoutSeconds, acknowledgement, createdAt: webhook.createdAt },
  }
}

export function contextOf({
  database,
  audit,
  services: { config, encryption },
}: RequestContext): WebhookActContext {
  return {
    ...{ database, audit, cipher: encryption, guard: guardFromConfig(config) },
    formatTime: createTimeFormat(config.timeZone),
  }
}

const reveal = Type.Optional(
  flag('true: show the whole URL; needs the right _webhooks_ and a reason, and is recorded'),
)

export const webhookOperations: readonly AdminOperation[] = [
  defineOperation({
    id: 'listWebhooks',
    method: 'get',
    path: base,
    tag: 'Webhooks',
    summary: 'List webhooks by id, oldest first',
    access: reads(),
    action: 'webhook list',
    query: {
      ...pageQuery,
      account: Type.Optional(clientId),
      state: Type.Optional(oneOf(['enabled', 'failing', 'disabled'], 'Only such webhooks')),
    },
    data: page(Webhook, 'Webhooks'),
    run: async ({ query: { limit, cursor, account, state } }, { database }) => {
      const accountId = account === undefined ? undefined : await requireAccountId(database, account)
      const after = readCursor(Type.Tuple([Type.String({ maxLength: 64 })]), cursor)?.[0]
      const rows = await listWebhookPage(database, { accountId, state, after, limit: limit + 1 })
      const clientIds = await clientIdsOf(
        database,
        rows.map((webhook) => webhook.accountId),
      )
      return toPage(
        rows,
        limit,
        (webhook) => toWebhook(maskUrl(webhook), clientIds.get(webhook.accountId) ?? ''),
        ({ id }) => [id],
      )
    },
  }),
  defineOperation({
    id: 'showWebhook',
    method: 'get',
    path: `${base}/{webhookId}`,
    tag: 'Webhooks',
    summary: 'Show a webhook',
    access: looks(),
    action: 'webhook show',
    params: { webhookId },
    query: { reveal },
    data: Webhook,
    run: async ({ params, query }, { database, audit }) => {
      const { webhook, account } = await requireWebhook(database, params.webhookId)
      if (query.reveal === true)
        await audit.look({ target: `URL of webhook ${webhook.id}`, account: account.clientId }, 'webhooks')
      return toWebhook(query.reveal === true ? webhook : maskUrl(webhook), account.clientId)
    },
  }),
  defineOperation({
    id: 'listDeliveries',
    method: 'get',
    path: `${base}/{webhookId}/deliveries`,
    tag: 'Webhooks',
    summary: 'List the last pushes of a webhook, and those that are not acknowledged',
    access: reads(),
    action: 'webhook deliveries',
    params: { webhookId },
    data: record(
      {
        tries: list(
          record(
            {
              at: time('When the push ended'),
              eventId: text('Id of the push: msgKey and step, or the id of a notice'),
              httpStatus: nullable(whole('HTTP status of the answer; null without one')),
              ms: whole('How long it took'),
              error: text('Why it failed; empty when it was acknowledged'),
            },
            'A push',
          ),
          'The last 50 pushes, newest first',
        ),
        failed: list(
          record(
            {
              eventId: text('Id of the push'),
              tries: whole('Tries so far'),
              failedAt: time('When the last try failed'),
              retryAt: nullable(time('When it is tried again; null: given up')),
              httpStatus: nullable(whole('HTTP status of the last answer; null without one')),
              error: text('Why it failed'),
            },
            'A push that is not acknowledged',
          ),
          'The last 100 pushes that are not acknowledged, newest first',
        ),
      },
      'Pushes of a webhook',
    ),
    run: async ({ params }, { database }) => {
      const { webhook } = await requireWebhook(database, params.webhookId)
      const tries = (await readTries(database, webhook.id)).toReversed()
      return { tries: [...tries], failed: await readFailures(database, webhook.id) }
    },
  }),
  defineOperation({
    id: 'setWebhook',
    method: 'patch',
    path: `${base}/{webhookId}`,
    tag: 'Webhooks',
    summary: 'Change a webhook; what is left out stays',
    description: 'Another URL needs the right _reveal_: reports go there.',
    access: changes('webhooks'),
    action: 'webhook set',
    params: { webhookId },
    body: {
      url: Type.Optional(text('Where it pushes', { minLength: 1, maxLength: 2_000 })),
      name: Type.Optional(text('Its name', { maxLength: 100 })),
      enabled: Type.Optional(flag('Whether it is pushed to')),
      perSecond: Type.Optional(whole('Pushes per second at most', { minimum: 1, maximum: 1_000 })),
      concurrency: Type.Optional(whole('Pushes at the same time at most', { minimum: 1, maximum: 100 })),
      timeoutSeconds: Type.Optional(
        whole('How long a push waits for its answer', { minimum: 1, maximum: 30 }),
      ),
      acknowledgement: Type.Optional(oneOf(acknowledgements, 'What acknowledges a push')),
    },
    data: Webhook,
    run: async ({ params, body }, context) => {
      const { webhook, account } = await setWebhook(contextOf(context), params.webhookId, body)
      const [view] = await readWebhooks(context.database, account.id, webhook.id)
      return toWebhook(maskUrl(view ?? webhook), account.clientId)
    },
  }),
  defineOperation({
    id: 'testWebhook',
    method: 'post',
    path: `${base}/{webhookId}/test`,
    tag: 'Webhooks',
    summary: 'Push a sample report, and show how the receiver answers',
    access: changes('webhooks'),
    action: 'webhook test',
    params: { webhookId },
    data: record(
      {
        acknowledged: flag('Whether the answer would acknowledge a report'),
        httpStatus: nullable(whole('HTTP status of the answer; null without one')),
        ms: whole('How long it took'),
        error: text('Why it would not; empty when it would'),
      },
      'The answer',
    ),
    run: async ({ params }, context) => {
      const { httpStatus, ms, error } = await testReceiver(contextOf(context), params.webhookId)
      return { acknowledged: error === '', httpStatus, ms, error }
    },
  }),
  defineOperation({
    id: 'replayWebhook',
    method: 'post',
    path: `${base}/{webhookId}/replay`,
    tag: 'Webhooks',
    summary: 'Push reports again: exactly one of the three fields',
    access: changes('webhooks'),
    action: 'webhook replay',
    params: { webhookId },
    body: {
      msgKey: Type.Optional(text('Those of one message', { maxLength: 100 })),
      failedSince: Type.Optional(text('Pushes that failed since this time', { maxLength: 40 })),
      allSince: Type.Optional(text('All reports since this time', { maxLength: 40 })),
    },
    data: record({ reports: whole('Reports that are pushed again') }, 'The replay'),
    run: async ({ params, body }, context) => ({
      reports: await replayReports(contextOf(context), params.webhookId, body),
    }),
  }),
]
