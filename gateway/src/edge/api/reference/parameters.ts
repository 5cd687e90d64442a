import { maxTtlSeconds } from '../../../channels/ttl.ts'
import type { OperationParameter } from './operation.ts'

export const dryRun: OperationParameter = {
  name: 'dryRun',
  in: 'query',
  required: false,
  description:
    'true: nothing is sent or stored. The response shows how the request would be processed, step by step, and lists ' +
    'all its errors at once.',
  schema: { type: 'boolean', default: false },
  beyondContract: 'Validation without sending.',
}

export const sendAt: OperationParameter = {
  name: 'sendAt',
  in: 'query',
  required: false,
  description:
    'When to send the message: ISO 8601 with an offset, at most 60 days ahead (the plus sign of the offset is written ' +
    '%2B). Default: immediately. Until then the message can be cancelled by its msgKey.',
  schema: { type: 'string', format: 'date-time' },
  example: '2027-01-02T09:00:00+09:00',
  beyondContract: 'Scheduled sending.',
}

export const ttl: OperationParameter = {
  name: 'ttl',
  in: 'query',
  required: false,
  description:
    `Time limit for the delivery in seconds, 1 to ${maxTtlSeconds}; 86400 by default. 300 or less is urgent. A fallback ` +
    'has its own `ttl`.',
  schema: { type: 'integer', minimum: 1, maximum: maxTtlSeconds },
  example: '180',
  beyondContract: 'Time limit of a simple send.',
}

export const idempotencyKey: OperationParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A unique key for this request, such as a UUID. The same request with the same key within 24 hours gets the same ' +
    'response, and nothing is sent twice. Use a new key for each new message.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  example: '0f8b4f5e-6a0e-4b55-9d3a-3c1b8f0f8a11',
  beyondContract: 'Safe retries of a send.',
}

export const pathParameter = (
  name: string,
  description: string,
  example: string,
  schema: object = {},
): OperationParameter => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string', minLength: 1, maxLength: 100, ...schema },
  example,
})

export const credentialHeaders = (prefix: string): OperationParameter[] => [
  {
    name: `X-${prefix}-Client-Id`,
    in: 'header',
    required: true,
    description: 'API account ID, at most 200 characters.',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
  },
  {
    name: `X-${prefix}-Client-Passwd`,
    in: 'header',
    required: true,
    description: 'API account password or API key, at most 200 characters.',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
  },
]

/** Response headers by their names in the components of the OpenAPI document. */
export const responseHeaders = {
  RequestId: {
    name: 'Request-Id',
    description: 'Identifies this request; give it to the operator when you ask about the response.',
    schema: { type: 'string' },
  },
  RateLimitLimit: {
    name: 'RateLimit-Limit',
    description:
      'Maximum burst, in destinations for sends and in requests for other operations. Missing if there is no limit.',
    schema: { type: 'integer', minimum: 0 },
  },
  RateLimitRemaining: {
    name: 'RateLimit-Remaining',
    description: 'How much of the burst is left.',
    schema: { type: 'integer', minimum: 0 },
  },
  RateLimitReset: {
    name: 'RateLimit-Reset',
    description: 'Seconds until the full burst is available again.',
    schema: { type: 'integer', minimum: 0 },
  },
  RateLimitReason: {
    name: 'RateLimit-Reason',
    description: 'Which limit was exceeded, in words.',
    schema: { type: 'string' },
  },
  RetryAfter: {
    name: 'Retry-After',
    description: 'Seconds to wait before sending the request again.',
    schema: { type: 'integer', minimum: 0 },
  },
  MessageAccepted: {
    name: 'Message-Accepted',
    description:
      'no: this request accepted no message. perhaps, or missing: a message may have been accepted; retry only with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['no', 'perhaps'] },
  },
  IdempotencyReplayed: {
    name: 'Idempotency-Replayed',
    description: 'true when this is the stored response to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const

export type ResponseHeaderName = keyof typeof responseHeaders
