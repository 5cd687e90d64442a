/** POST and GET /v1/webhook; GET, PUT and DELETE /v1/webhook/{webhookId}; test, rotate, replay and deliveries. */
import { webhooksPerAccount } from '../../../webhooks/webhook.ts'
import * as examples from '../examples/webhooks.ts'
import { sampleValues } from '../examples/sample-values.ts'
import type { Link, Operation } from '../operation.ts'
import { pathParameter } from '../parameters.ts'
import { ref } from '../ref.ts'

const parameters = [
  pathParameter('webhookId', 'webhookId from the response to its creation.', sampleValues.webhookId),
]
const path = '/v1/webhook/{webhookId}'
const json = (schema: string, description: string) =>
  ({ contentType: 'application/json', schema: ref(schema), description }) as const
const answer = (schema: string, description: string) => ({ description, schema: ref(schema) })
const own = { tag: 'Webhooks', beyondContract: 'The contract has no operations for webhooks.' } as const

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
    summary: 'Create a webhook',
    description:
      'Every report from now on is pushed to the URL: a POST with one report as JSON, times with milliseconds, signed ' +
      'according to Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature). Any 2xx acknowledges it, or with ' +
      'acknowledgement msgKey only 200 with {"msgKey":"<same>"}; after any other response it is pushed again, up to eleven times over ' +
      'more than two days. Reports can arrive twice and out of order: deduplicate by webhook-id. Polling and inquiry return ' +
      `them as well. An account can have at most ${webhooksPerAccount} webhooks. Where the operator asks for proof, it is ` +
      'created disabled (disabledReason unproved): give the secret to the receiver, then enable the webhook by PUT.',
    body: json('WebhookRequest', 'The webhook'),
    answer: answer('CreatedWebhookAnswer', 'Created; the secret is shown only here'),
    codes: ['A851', 'A852', 'A853'],
    links: {
      show: sameWebhook('showWebhook', 'The webhook'),
      test: sameWebhook('testWebhook', 'Push a sample report'),
      remove: sameWebhook('deleteWebhook', 'Delete the webhook'),
    },
    examples: examples.createWebhookExamples,
  },
  {
    ...own,
    id: 'listWebhooks',
    method: 'get',
    path: '/v1/webhook',
    summary: 'List the webhooks',
    description: 'With their settings and state, without their secrets.',
    answer: answer('WebhooksAnswer', 'The webhooks of the account'),
    codes: [],
    examples: examples.listWebhooksExamples,
  },
  {
    ...own,
    id: 'showWebhook',
    method: 'get',
    path,
    summary: 'Get a webhook',
    description:
      'disabledReason says why it receives no reports: its owner disabled it, its URL answered 410, every push failed ' +
      'for a day, or its receiver is not proved yet. In the second and third case the account’s other webhooks receive a notice.',
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
    description:
      'Omitted settings keep their value. A webhook that is enabled again continues where it stopped. Where the operator ' +
      'asks for proof, the receiver of a webhook that is enabled, or gets another URL, must acknowledge sample reports that are ' +
      'signed with the secret, and answer 401 to one that is not.',
    parameters,
    body: json('WebhookChange', 'The settings to change'),
    answer: answer('WebhookAnswer', 'The changed webhook'),
    codes: ['A850', 'A851', 'A853'],
    examples: examples.changeWebhookExamples,
  },
  {
    ...own,
    id: 'deleteWebhook',
    method: 'delete',
    path,
    summary: 'Delete a webhook',
    description: 'Reports are no longer pushed; polling and inquiry still return them.',
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
    summary: 'Test a webhook',
    description:
      'Pushes a sample report once, whether the webhook is enabled or not, and returns the result. Without an HTTP response ' +
      'it gives no reason, after the time-out.',
    parameters,
    answer: answer('WebhookTestAnswer', 'The result of the push; a failed push is a successful test request'),
    codes: ['A850'],
    examples: examples.testWebhookExamples,
  },
  {
    ...own,
    id: 'rotateWebhook',
    method: 'post',
    path: `${path}/rotate`,
    summary: 'Rotate the secret',
    description:
      'Until previousSecretUntil both secrets sign, so that receivers can switch without a gap. A secret that was ' +
      'replaced earlier no longer signs.',
    parameters,
    body: json('WebhookRotation', 'All fields are optional'),
    answer: answer('WebhookSecretAnswer', 'The new secret, shown only here'),
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
      'Those of one message, all that failed since a time, or all since a time; up to 3 days back. They have the same ' +
      'webhook-id as before.',
    parameters,
    body: json('WebhookReplay', 'Which reports'),
    answer: answer('WebhookReplayAnswer', 'The number of reports that are pushed again'),
    codes: ['A850', 'A854'],
    examples: examples.replayWebhookExamples,
  },
  {
    ...own,
    id: 'listDeliveries',
    method: 'get',
    path: `${path}/deliveries`,
    summary: 'List the last pushes',
    description: 'The last 50 pushes with status and duration, and pushes that are not acknowledged.',
    parameters,
    answer: answer('WebhookDeliveriesAnswer', 'The last pushes'),
    codes: ['A850'],
    examples: examples.deliveriesExamples,
  },
]
