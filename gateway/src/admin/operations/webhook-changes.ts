/** Webhooks of accounts: add, remove, rotate the secret. */
import { Type } from 'typebox'
import { addWebhookOf, maskUrl, removeWebhook, rotateWebhookSecret } from '../../acts/webhooks.ts'
import { clientId, flag, oneOf, record, shownText, text, time, whole } from '../fields.ts'
import { changes, defineOperation } from '../operation.ts'
import { acknowledgement, contextOf, toWebhook, Webhook, webhookId } from './webhooks.ts'

const base = '/admin/v1/webhooks'
const secret = Type.Optional(
  text('Its secret, `whsec_` and Base64; made when it is left out', { minLength: 1, maxLength: 200 }),
)

export const webhookChangeOperations = [
  defineOperation({
    id: 'addWebhook',
    method: 'post',
    path: '/admin/v1/accounts/{clientId}/webhooks',
    tag: 'Webhooks',
    summary: 'Add a webhook to an account; its secret is answered once',
    description:
      'Needs the right _reveal_, too: reports go to the URL, without a proof that it is the account’s.',
    access: changes('webhooks'),
    action: 'webhook add',
    command: {
      examples: ['shop-1 --url https://shop.example/reports --name main'],
      note: 'The secret is not shown again; `postern webhook rotate` makes another.',
    },
    params: { clientId },
    body: {
      url: text('Where it pushes', { minLength: 1, maxLength: 2_000 }),
      events: Type.Optional(oneOf(['reports', 'replies'], 'What it pushes')),
      secret,
      name: Type.Optional(shownText('Its name', { maxLength: 100 })),
      perSecond: Type.Optional(whole('Pushes per second at most', { minimum: 1, maximum: 1_000 })),
      concurrency: Type.Optional(whole('Pushes at the same time at most', { minimum: 1, maximum: 100 })),
      timeoutSeconds: Type.Optional(
        whole('How long a push waits for its answer', { minimum: 1, maximum: 30 }),
      ),
      acknowledgement: Type.Optional(acknowledgement),
      notices: Type.Optional(
        Type.Boolean({
          default: true,
          description: 'Whether it receives a notice when another webhook is disabled',
        }),
      ),
      enabled: Type.Optional(Type.Boolean({ default: true, description: 'Whether it is pushed to' })),
    },
    data: record({ webhook: Webhook, secret: text('Its secret') }, 'The webhook'),
    run: async ({ params, body }, context) => {
      const added = await addWebhookOf(contextOf(context), params.clientId, body)
      return { webhook: toWebhook(maskUrl(added.webhook), params.clientId), secret: added.secret }
    },
  }),
  defineOperation({
    id: 'removeWebhook',
    method: 'delete',
    path: `${base}/{webhookId}`,
    tag: 'Webhooks',
    summary: 'Remove a webhook; its reports stay available by polling and inquiry',
    access: changes('webhooks'),
    action: 'webhook remove',
    command: { examples: ['20261115023225000WABCDEFGHIJKLMN'] },
    params: { webhookId },
    data: record({ id: webhookId, removed: flag('true') }, 'The removal'),
    run: async ({ params }, context) => {
      await removeWebhook(contextOf(context), params.webhookId)
      return { id: params.webhookId, removed: true }
    },
  }),
  defineOperation({
    id: 'rotateWebhookSecret',
    method: 'post',
    path: `${base}/{webhookId}/rotate`,
    tag: 'Webhooks',
    summary:
      'Replace the secret of a webhook; it is answered once, and the previous one signs as well for a while',
    access: changes('webhooks'),
    client: 'own',
    action: 'webhook rotate',
    command: { examples: ['20261115023225000WABCDEFGHIJKLMN --keep-previous-hours 48'] },
    params: { webhookId },
    body: {
      secret,
      keepPreviousHours: Type.Optional(
        whole('Hours that the previous secret signs as well', { minimum: 0, maximum: 168 }),
      ),
    },
    data: record(
      { secret: text('The secret'), previousUntil: time('Until when the previous secret signs as well') },
      'The secret',
    ),
    run: ({ params, body }, context) => rotateWebhookSecret(contextOf(context), params.webhookId, body),
  }),
]
