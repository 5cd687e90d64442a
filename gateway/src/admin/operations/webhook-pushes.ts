/** Pushes of webhooks: the last ones, a test, and pushing again with a count before. */
import { Type } from 'typebox'
import { replayReports, requireWebhook, testReceiver } from '../../acts/webhooks.ts'
import { countReplay } from '../../webhooks/actions.ts'
import { maxCounted } from '../../webhooks/queries.ts'
import { readFailures } from '../../webhooks/queries.ts'
import { readTries } from '../../webhooks/try-log.ts'
import { hideCauseOfFailure, hideCauseOfTry } from '../../webhooks/without-response.ts'
import { flag, list, nullable, record, text, time, whole } from '../fields.ts'
import { changes, defineOperation, reads } from '../operation.ts'
import { contextOf, webhookId } from './webhooks.ts'

const base = '/admin/v1/webhooks'
const withoutCause =
  'A client learns of a push without an HTTP response neither why nor when exactly it failed, as from the API.'

export const webhookPushOperations = [
  defineOperation({
    id: 'listDeliveries',
    method: 'get',
    path: `${base}/{webhookId}/deliveries`,
    tag: 'Webhooks',
    summary: 'List the last pushes of a webhook, and those that are not acknowledged',
    description: withoutCause,
    access: reads(),
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
              eventId: text('Id of the push: msgKey and step, or the id of a notice'),
              httpStatus: nullable(whole('HTTP status of the answer; null without one')),
              ms: whole('How long it took'),
              error: text('Why it failed; empty when it was acknowledged'),
            },
            'A push',
            { title: 'WebhookPush' },
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
            { title: 'FailedPush' },
          ),
          'The last 100 pushes that are not acknowledged, newest first',
        ),
      },
      'Pushes of a webhook',
    ),
    run: async ({ params }, { database, signed }) => {
      const { webhook } = await requireWebhook(database, params.webhookId)
      const tries = (await readTries(database, webhook.id)).toReversed()
      const failed = await readFailures(database, webhook.id)
      if (signed.account === null) return { tries, failed }
      return {
        tries: tries.map((entry) => hideCauseOfTry(entry, webhook.timeoutSeconds * 1000)),
        failed: failed.map(hideCauseOfFailure),
      }
    },
  }),
  defineOperation({
    id: 'testWebhook',
    method: 'post',
    path: `${base}/{webhookId}/test`,
    tag: 'Webhooks',
    summary: 'Push a sample report, and show how the receiver answers',
    description: withoutCause,
    access: changes('webhooks'),
    client: 'own',
    action: 'webhook test',
    command: { examples: ['20261115023225000WABCDEFGHIJKLMN'] },
    params: { webhookId },
    pushes: () => true,
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
    id: 'countReplay',
    method: 'get',
    path: `${base}/{webhookId}/replay`,
    tag: 'Webhooks',
    summary: 'Count the reports that a replay would push again: exactly one of the two parameters',
    access: reads(),
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
    summary: 'Push reports again: exactly one of the three fields',
    access: changes('webhooks'),
    client: 'own',
    action: 'webhook replay',
    command: { examples: ['20261115023225000WABCDEFGHIJKLMN --failed-since 2026-11-15T09:00:00+09:00'] },
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
