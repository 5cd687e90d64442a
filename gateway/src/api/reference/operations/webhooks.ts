/** POST and GET /v1/webhook; GET, PUT and DELETE /v1/webhook/{webhookId}, and what can be done with one. */
import { webhooksPerAccount } from '../../../webhooks/webhook.ts'
import * as examples from '../examples/webhooks.ts'
import { shown } from '../examples/shown.ts'
import type { Link, Operation } from '../operation.ts'
import { pathParameter } from '../parameters.ts'
import { ref } from '../ref.ts'

const parameters = [pathParameter('webhookId', 'What its making answered.', shown.webhookId)]
const path = '/v1/webhook/{webhookId}'
const json = (schema: string, description: string) =>
  ({ contentType: 'application/json', schema: ref(schema), description }) as const
const answer = (schema: string, description: string) => ({ description, schema: ref(schema) })
const own = { tag: 'Webhooks', beyondContract: 'The contract has no way to set up webhooks.' } as const

const sameWebhook = (operationId: string, description: string): Link => ({
  operationId,
  description,
  parameters: { webhookId: '$response.body#/data/webhookId' },
})

export const webhookOperations: readonly Operation[] = [
  {
    ...own,
    id: 'createWebhook',
    method: 'post',
    path: '/v1/webhook',
    summary: 'Make a webhook',
    description:
      'Every report from now on is pushed there: POST with one report as JSON, times with milliseconds, signed ' +
      'as Standard Webhooks has it (webhook-id, webhook-timestamp, webhook-signature). It is acknowledged by 200 ' +
      'with {"msgKey":"<same>"}; anything else is tried again, eleven times over two days and more. Reports may ' +
      'come twice and in another order: deduplicate by webhook-id. Polling and inquiry have them all the same. ' +
      `An account may have ${webhooksPerAccount}.`,
    body: json('WebhookRequest', 'The webhook'),
    answer: answer('CreatedWebhookAnswer', 'Made; the secret is shown this once'),
    codes: ['A851', 'A852', 'A853'],
    links: {
      show: sameWebhook('showWebhook', 'The webhook'),
      test: sameWebhook('testWebhook', 'A report of nobody, pushed there'),
      remove: sameWebhook('deleteWebhook', 'Its end'),
    },
    examples: examples.createWebhookExamples,
  },
  {
    ...own,
    id: 'listWebhooks',
    method: 'get',
    path: '/v1/webhook',
    summary: 'List the webhooks',
    description: 'With their settings and how they are doing, never with their secrets.',
    answer: answer('WebhooksAnswer', 'All of the account'),
    codes: [],
    examples: examples.listWebhooksExamples,
  },
  {
    ...own,
    id: 'showWebhook',
    method: 'get',
    path,
    summary: 'Look at a webhook',
    description:
      'disabledReason says why it gets no reports: its owner disabled it, it answered 410, or it did nothing ' +
      'but fail for a day. The account’s other webhooks are told of the last two.',
    parameters,
    answer: answer('WebhookAnswer', 'The webhook'),
    codes: ['A850'],
    examples: examples.showWebhookExamples,
  },
  {
    ...own,
    id: 'changeWebhook',
    method: 'put',
    path,
    summary: 'Change a webhook',
    description: 'Settings that are left out stay as they are. Enabled again, it goes on where it stopped.',
    parameters,
    body: json('WebhookChange', 'What to change'),
    answer: answer('WebhookAnswer', 'The webhook as it is now'),
    codes: ['A850', 'A851', 'A853'],
    examples: examples.changeWebhookExamples,
  },
  {
    ...own,
    id: 'deleteWebhook',
    method: 'delete',
    path,
    summary: 'Delete a webhook',
    description: 'Nothing more is pushed there; the reports are there by polling and inquiry.',
    parameters,
    answer: answer('PlainAnswer', 'Deleted'),
    codes: ['A850'],
    examples: examples.deleteWebhookExamples,
  },
  {
    ...own,
    id: 'testWebhook',
    method: 'post',
    path: `${path}/test`,
    summary: 'Try a webhook out',
    description:
      'Pushes a report of nobody, once and now, whether it is enabled or not, and tells what came of it.',
    parameters,
    answer: answer('WebhookTestAnswer', 'What came of it; that it failed is a success of this request'),
    codes: ['A850'],
    examples: examples.testWebhookExamples,
  },
  {
    ...own,
    id: 'rotateWebhook',
    method: 'post',
    path: `${path}/rotate`,
    summary: 'Replace the secret',
    description:
      'Until previousSecretUntil both secrets sign, so that receivers can change over without a gap; one that ' +
      'was replaced before signs no more.',
    parameters,
    body: json('WebhookRotation', 'All of it may be left out'),
    answer: answer('WebhookSecretAnswer', 'The new secret, shown this once'),
    codes: ['A850', 'A853'],
    examples: examples.rotateWebhookExamples,
  },
  {
    ...own,
    id: 'replayWebhook',
    method: 'post',
    path: `${path}/replay`,
    summary: 'Push reports again',
    description:
      'Those of one message, all that failed since a time, or all since a time; up to 3 days back. They carry ' +
      'the same webhook-id as before.',
    parameters,
    body: json('WebhookReplay', 'Which'),
    answer: answer('WebhookReplayAnswer', 'How many are pushed again'),
    codes: ['A850', 'A854'],
    examples: examples.replayWebhookExamples,
  },
  {
    ...own,
    id: 'listDeliveries',
    method: 'get',
    path: `${path}/deliveries`,
    summary: 'Look at the last pushes',
    description: 'The last 50 with what was answered and how long it took, and what is not acknowledged yet.',
    parameters,
    answer: answer('WebhookDeliveriesAnswer', 'The last pushes'),
    codes: ['A850'],
    examples: examples.deliveriesExamples,
  },
]
