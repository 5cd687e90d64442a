/** Describes the requests that the gateway pushes to webhooks. */
import { ref } from './ref.ts'

export interface PushSpec {
  readonly summary: string
  readonly description: string
  /** Name of the schema of the body. */
  readonly schema: string
  /** Name of the schema of the response that acknowledges the push with `"acknowledgement":"msgKey"`. */
  readonly receipt?: string
}

export const pushes: Readonly<Record<'report' | 'reply' | 'notice', PushSpec>> = {
  report: {
    summary: 'A report',
    description: 'Pushed to webhooks with `"events":"reports"`, one report at a time.',
    schema: 'Report',
    receipt: 'ReportReceipt',
  },
  reply: {
    summary: 'A reply of a recipient',
    description: 'Pushed to webhooks with `"events":"replies"`, one reply at a time.',
    schema: 'ReplyRecord',
    receipt: 'ReplyReceipt',
  },
  notice: {
    summary: 'A webhook was disabled',
    description:
      'Pushed to the other webhooks of the account with `"notices":true`. Every 2xx acknowledges a notice.',
    schema: 'WebhookNotice',
  },
}

const headers = [
  {
    name: 'webhook-id',
    description: 'The same over all attempts and replays of a push: store it to recognise a repetition.',
    example: '2026111500000012300K3V8Q2M7XDJ4T-1',
  },
  {
    name: 'webhook-timestamp',
    description: 'Seconds since 1970; refuse a push that is more than five minutes old.',
    example: '1794700801',
  },
  {
    name: 'webhook-signature',
    description:
      'Signatures of Standard Webhooks, separated by spaces; two while a secret is replaced. Accept the push if one of them matches the body as it arrived.',
    example: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
].map((header) => ({ ...header, in: 'header', required: true, schema: { type: 'string' } }))

export function createWebhooks(): Record<keyof typeof pushes, object> {
  const entries = Object.entries(pushes).map(([name, push]) => [name, { post: toOperation(name, push) }])
  return Object.fromEntries(entries) as Record<keyof typeof pushes, object>
}

function toOperation(name: string, { summary, description, schema, receipt }: PushSpec): object {
  return {
    operationId: `${name}Webhook`,
    tags: ['Webhooks'],
    summary,
    description,
    security: [],
    'x-beyond-contract': 'The contract has no operations for webhooks.',
    parameters: headers,
    requestBody: { required: true, content: { 'application/json': { schema: ref(schema) } } },
    responses: {
      '2XX': {
        description:
          receipt === undefined
            ? 'Acknowledges the push'
            : 'Acknowledges the push. A webhook with `"acknowledgement":"msgKey"` needs 200 with this body',
        ...(receipt === undefined ? {} : { content: { 'application/json': { schema: ref(receipt) } } }),
      },
      '410': { description: 'Disables the webhook' },
      default: { description: 'The push is repeated later' },
    },
  }
}
