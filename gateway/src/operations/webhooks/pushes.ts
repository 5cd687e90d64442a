import { Type } from 'typebox'
import { replayReports, requireWebhook, testReceiver } from './webhooks.ts'
import { countReplay } from '../../edge/webhooks/actions.ts'
import { maxCounted } from '../../edge/webhooks/queries.ts'
import { readFailedDeliveries } from '../../edge/webhooks/queries.ts'
import { readAttemptLog } from '../../edge/webhooks/push/attempt-log.ts'
import { redactFailureError, redactTryError } from '../../edge/webhooks/push/without-response.ts'
import { flag, list, nullable, record, text, time, whole } from '../fields.ts'
import { writeAccess, defineOperation, readAccess } from '../operation.ts'
import { toWebhookContext, webhookId } from './operations.ts'

const base = '/admin/v1/webhooks'
const withoutCause =
  'As in the client API, clients get neither the reason nor the exact time of a failure without an HTTP response.'

export const webhookPushOperations = [
  defineOperation({
    id: 'listDeliveries',
    method: 'get',
    path: `${base}/{webhookId}/deliveries`,
    tag: 'Webhooks',
    summary: 'List the latest pushes of a webhook and the unacknowledged ones',
    description: withoutCause,
    access: readAccess(),
    client: 'own',
    action: 'webhook deliveries',
    command: { examples: ['20261115023225000WABCDEFGHIJKLMN'] },
    params: { webhookId },
    data: record(
      {
        tries: list(
          record(
            {
              at: time('When the push ended'),
              eventId: text('ID of the push: msgKey and step, or the ID of a notice'),
              httpStatus: nullable(whole('HTTP status of the response; null without response')),
              ms: whole('Duration in milliseconds'),
              error: text('Why it failed; empty if it was acknowledged'),
            },
            'A push',
            { title: 'WebhookPush' },
          ),
          'The latest 50 pushes, newest first',
        ),
        failed: list(
          record(
            {
              eventId: text('ID of the push'),
              tries: whole('Attempts so far'),
              failedAt: time('When the last attempt failed'),
              retryAt: nullable(time('Time of the next attempt; null if abandoned')),
              httpStatus: nullable(whole('HTTP status of the last response; null without response')),
              error: text('Why it failed'),
            },
            'An unacknowledged push',
            { title: 'FailedPush' },
          ),
          'The latest 100 unacknowledged pushes, newest first',
        ),
      },
      'Pushes of a webhook',
    ),
    run: async ({ params }, { database, signed }) => {
      const { webhook } = await requireWebhook(database, params.webhookId)
      const tries = (await readAttemptLog(database, webhook.id)).toReversed()
      const failed = await readFailedDeliveries(database, webhook.id)
      if (signed.account === null) return { tries, failed }
      return {
        tries: tries.map((entry) => redactTryError(entry, webhook.timeoutSeconds * 1000)),
        failed: failed.map(redactFailureError),
      }
    },
  }),
  defineOperation({
    id: 'testWebhook',
    method: 'post',
    path: `${base}/{webhookId}/test`,
    tag: 'Webhooks',
    summary: 'Push a sample report and show the response of the receiver',
    description: withoutCause,
    access: writeAccess('webhooks'),
    client: 'own',
    action: 'webhook test',
    command: { examples: ['20261115023225000WABCDEFGHIJKLMN'] },
    params: { webhookId },
    pushes: () => true,
    data: record(
      {
        acknowledged: flag('Whether the response would acknowledge a report'),
        httpStatus: nullable(whole('HTTP status of the response; null without response')),
        ms: whole('Duration in milliseconds'),
        error: text('Why it would not; empty if it would'),
      },
      'The response',
    ),
    run: async ({ params }, context) => {
      const { httpStatus, ms, error } = await testReceiver(toWebhookContext(context), params.webhookId)
      return { acknowledged: error === '', httpStatus, ms, error }
    },
  }),
  defineOperation({
    id: 'countReplay',
    method: 'get',
    path: `${base}/{webhookId}/replay`,
    tag: 'Webhooks',
    summary:
      'Count the reports that a replay would push again; exactly one of the two parameters is required',
    access: readAccess(),
    client: 'own',
    action: 'webhook replay',
    params: { webhookId },
    query: {
      failedSince: Type.Optional(text('Pushes that failed since this time', { maxLength: 40 })),
      allSince: Type.Optional(text('All reports since this time', { maxLength: 40 })),
    },
    data: record(
      { reports: whole(`Reports that would be pushed again; failed ones are counted up to ${maxCounted}`) },
      'The count',
    ),
    run: async ({ params, query }, { database }) => {
      const { webhook, account } = await requireWebhook(database, params.webhookId)
      return { reports: await countReplay(database, account.id, webhook.id, query) }
    },
  }),
  defineOperation({
    id: 'replayWebhook',
    method: 'post',
    path: `${base}/{webhookId}/replay`,
    tag: 'Webhooks',
    summary:
      'Push reports again: those of one message, those that failed since a time, or all since a time; give exactly one',
    access: writeAccess('webhooks'),
    client: 'own',
    action: 'webhook replay',
    command: { examples: ['20261115023225000WABCDEFGHIJKLMN --failed-since 2026-11-15T09:00:00+09:00'] },
    params: { webhookId },
    body: {
      msgKey: Type.Optional(text('Reports of one message', { maxLength: 100 })),
      failedSince: Type.Optional(text('Pushes that failed since this time', { maxLength: 40 })),
      allSince: Type.Optional(text('All reports since this time', { maxLength: 40 })),
    },
    data: record({ reports: whole('Number of reports that are pushed again') }, 'The replay'),
    run: async ({ params, body }, context) => ({
      reports: await replayReports(toWebhookContext(context), params.webhookId, body),
    }),
  }),
]
