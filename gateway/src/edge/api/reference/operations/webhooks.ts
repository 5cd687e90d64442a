import { webhooksPerAccount } from '../../../webhooks/webhook.ts'
import * as examples from '../examples/webhooks.ts'
import { sampleValues } from '../examples/sample-values.ts'
import type { OperationLink, Operation } from '../operation.ts'
import { pathParameter } from '../parameters.ts'
import { ref } from '../ref.ts'

const parameters = [
  pathParameter('webhookId', 'webhookId from the response to its creation.', sampleValues.webhookId),
]
const path = '/v1/webhook/{webhookId}'
const json = (schema: string, description: string) =>
  ({ contentType: 'application/json', schema: ref(schema), description }) as const
const answer = (schema: string, description: string) => ({ description, schema: ref(schema) })
const common = { tag: 'Webhooks', beyondContract: 'The contract has no operations for webhooks.' } as const

const sameWebhook = (operationId: string, description: string): OperationLink => ({
  operationId,
  description,
  parameters: { webhookId: '$response.body#/data/webhookId' },
})

export const clientWebhookOperations: readonly Operation[] = [
  {
    ...common,
    id: 'createWebhook',
    method: 'post',
    path: '/v1/webhook',
    summary: 'Create a webhook',
    description:
      'Every report from now on is pushed to the URL: a POST with one report as JSON, times with milliseconds, signed ' +
      'according to Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature). Any 2xx acknowledges it, or with ' +
      'acknowledgement msgKey only 200 with {"msgKey":"<same>"}; after any other response it is pushed again, up to eleven times over ' +
      'more than two days. Reports can arrive twice and out of order: deduplicate by webhook-id. Polling and inquiry return ' +
      `them as well. An account can have at most ${webhooksPerAccount} webhooks. If the operator requires proof, it is ` +
      'created disabled (disabledReason unproved): give the secret to the receiver, then enable the webhook by PUT.',
    body: json('WebhookRequest', 'The webhook'),
    response: answer('CreatedWebhookResponse', 'Created; the secret is shown only here'),
    codes: ['A851', 'A852', 'A853'],
    links: {
      show: sameWebhook('showWebhook', 'The webhook'),
      test: sameWebhook('testWebhook', 'Push a sample report'),
      remove: sameWebhook('deleteWebhook', 'Delete the webhook'),
    },
    examples: examples.createWebhookExamples,
  },
  {
    ...common,
    id: 'listWebhooks',
    method: 'get',
    path: '/v1/webhook',
    summary: 'List the webhooks',
    description: 'With their settings and state, without their secrets.',
    response: answer('WebhooksResponse', 'The webhooks of the account'),
    codes: [],
    examples: examples.listWebhooksExamples,
  },
  {
    ...common,
    id: 'showWebhook',
    method: 'get',
    path,
    summary: 'Get a webhook',
    description:
      'disabledReason states why it receives no reports: its owner disabled it, its URL answered 410, every push failed ' +
      'for a day, or its receiver is not proved yet. In the second and third case the account’s other webhooks receive a notice.',
    parameters,
    response: answer('WebhookResponse', 'The webhook'),
    codes: ['A850'],
    examples: examples.showWebhookExamples,
  },
  {
    ...common,
    id: 'changeWebhook',
    method: 'put',
    path,
    summary: 'Change a webhook',
    description:
      'Omitted settings keep their value. A webhook that is enabled again continues where it stopped. If the operator ' +
      'requires proof, the receiver of a webhook that is enabled, or gets another URL, must acknowledge sample reports that are ' +
      'signed with the secret, and answer 401 to one that is not.',
    parameters,
    body: json('WebhookChange', 'The settings to change'),
    response: answer('WebhookResponse', 'The changed webhook'),
    codes: ['A850', 'A851', 'A853'],
    examples: examples.changeWebhookExamples,
  },
  {
    ...common,
    id: 'deleteWebhook',
    method: 'delete',
    path,
    summary: 'Delete a webhook',
    description: 'Reports are no longer pushed; polling and inquiry still return them.',
    parameters,
    response: answer('PlainResponse', 'Deleted'),
    codes: ['A850'],
    examples: examples.deleteWebhookExamples,
  },
  {
    ...common,
    id: 'testWebhook',
    method: 'post',
    path: `${path}/test`,
    summary: 'Test a webhook',
    description:
      'Pushes a sample report once, whether the webhook is enabled or not, and returns the result. Without an HTTP response ' +
      'no reason is returned, and the request ends only after the time-out.',
    parameters,
    response: answer(
      'WebhookTestResponse',
      'The result of the push; a failed push is a successful test request',
    ),
    codes: ['A850'],
    examples: examples.testWebhookExamples,
  },
  {
    ...common,
    id: 'rotateWebhook',
    method: 'post',
    path: `${path}/rotate`,
    summary: 'Rotate the secret',
    description:
      'Until previousSecretUntil both secrets sign, so that receivers can switch without a gap. A secret that was ' +
      'replaced earlier no longer signs.',
    parameters,
    body: json('WebhookRotation', 'All fields are optional'),
    response: answer('WebhookSecretResponse', 'The new secret, shown only here'),
    codes: ['A850', 'A853'],
    examples: examples.rotateWebhookExamples,
  },
  {
    ...common,
    id: 'replayWebhook',
    method: 'post',
    path: `${path}/replay`,
    summary: 'Push reports again',
    description:
      'The reports of one message, all that failed since a time, or all since a time; up to 3 days back. They keep their ' +
      'webhook-id.',
    parameters,
    body: json('WebhookReplay', 'Which reports'),
    response: answer('WebhookReplayResponse', 'The number of reports that are pushed again'),
    codes: ['A850', 'A854'],
    examples: examples.replayWebhookExamples,
  },
  {
    ...common,
    id: 'listDeliveries',
    method: 'get',
    path: `${path}/deliveries`,
    summary: 'List the last pushes',
    description: 'The last 50 pushes with status and duration, and pushes that are not acknowledged.',
    parameters,
    response: answer('WebhookDeliveriesResponse', 'The last pushes'),
    codes: ['A850'],
    examples: examples.deliveriesExamples,
  },
]
