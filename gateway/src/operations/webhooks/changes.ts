import { Type } from 'typebox'
import { addAccountWebhook, maskUrl, removeWebhook, rotateWebhookSecret } from './webhooks.ts'
import { clientId, flag, oneOf, record, shownText, text, time, whole } from '../fields.ts'
import { writeAccess, defineOperation } from '../operation.ts'
import { acknowledgement, toWebhookContext, toWebhook, WebhookSchema, webhookId } from './operations.ts'

const base = '/admin/v1/webhooks'
const secret = Type.Optional(
  text('Secret, `whsec_` and Base64; generated if omitted', { minLength: 1, maxLength: 200 }),
)

export const webhookChangeOperations = [
  defineOperation({
    id: 'addWebhook',
    method: 'post',
    path: '/admin/v1/accounts/{clientId}/webhooks',
    tag: 'Webhooks',
    summary: 'Add a webhook to an account; its secret is returned once',
    description:
      'Also requires the right _reveal_: reports are sent to the URL without verification that it belongs to the account.',
    access: writeAccess('webhooks'),
    action: 'webhook add',
    command: {
      examples: ['shop-1 --url https://shop.example/reports --name main'],
      note: 'The secret is not shown again; `postern webhook rotate` creates another.',
    },
    params: { clientId },
    body: {
      url: text('URL of the receiver', { minLength: 1, maxLength: 2_000 }),
      events: Type.Optional(oneOf(['reports', 'replies'], 'Events to push')),
      secret,
      name: Type.Optional(shownText('Its name', { maxLength: 100 })),
      perSecond: Type.Optional(whole('Maximum pushes per second', { minimum: 1, maximum: 1_000 })),
      concurrency: Type.Optional(whole('Maximum concurrent pushes', { minimum: 1, maximum: 100 })),
      timeoutSeconds: Type.Optional(
        whole('Response timeout of a push, in seconds', { minimum: 1, maximum: 30 }),
      ),
      acknowledgement: Type.Optional(acknowledgement),
      notices: Type.Optional(
        Type.Boolean({
          default: true,
          description: 'Whether it receives a notice when another webhook is disabled',
        }),
      ),
      enabled: Type.Optional(Type.Boolean({ default: true, description: 'Whether it is enabled' })),
    },
    data: record({ webhook: WebhookSchema, secret: text('The secret') }, 'The webhook'),
    run: async ({ params, body }, context) => {
      const added = await addAccountWebhook(toWebhookContext(context), params.clientId, body)
      return { webhook: toWebhook(maskUrl(added.webhook), params.clientId), secret: added.secret }
    },
  }),
  defineOperation({
    id: 'removeWebhook',
    method: 'delete',
    path: `${base}/{webhookId}`,
    tag: 'Webhooks',
    summary: 'Remove a webhook; its reports stay available by polling and inquiry',
    access: writeAccess('webhooks'),
    action: 'webhook remove',
    command: { examples: ['20261115023225000WABCDEFGHIJKLMN'] },
    params: { webhookId },
    data: record({ id: webhookId, removed: flag('Always true') }, 'The removal'),
    run: async ({ params }, context) => {
      await removeWebhook(toWebhookContext(context), params.webhookId)
      return { id: params.webhookId, removed: true }
    },
  }),
  defineOperation({
    id: 'rotateWebhookSecret',
    method: 'post',
    path: `${base}/{webhookId}/rotate`,
    tag: 'Webhooks',
    summary:
      'Replace the secret of a webhook; the new one is returned once, and the previous one also signs for a while',
    access: writeAccess('webhooks'),
    client: 'own',
    action: 'webhook rotate',
    command: { examples: ['20261115023225000WABCDEFGHIJKLMN --keep-previous-hours 48'] },
    params: { webhookId },
    body: {
      secret,
      keepPreviousHours: Type.Optional(
        whole('Hours during which the previous secret also signs', { minimum: 0, maximum: 168 }),
      ),
    },
    data: record(
      { secret: text('The secret'), previousUntil: time('Time until which the previous secret also signs') },
      'The secret',
    ),
    run: ({ params, body }, context) =>
      rotateWebhookSecret(toWebhookContext(context), params.webhookId, body),
  }),
]
