/** Parameters and headers that several operations share. */
import type { Parameter } from './operation.ts'

export const dryRun: Parameter = {
  name: 'dryRun',
  in: 'query',
  required: false,
  description:
    'true: nothing is sent or stored. The answer says what would become of the request, step by step, and all that ' +
    'is wrong with it at once.',
  schema: { type: 'boolean', default: false },
  beyondContract: 'Checking without sending.',
}

export const sendAt: Parameter = {
  name: 'sendAt',
  in: 'query',
  required: false,
  description:
    'When to send it: ISO 8601 with offset, at most 60 days ahead (the plus sign of an offset is written %2B). At ' +
    'once without it. Until its time it can be cancelled by its msgKey.',
  schema: { type: 'string', format: 'date-time' },
  example: '2027-01-02T09:00:00+09:00',
  beyondContract: 'Sending at a later time.',
}

export const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A key of your own for this request. Sent again with the same key within a day, the request is answered as ' +
    'the first time and nothing is sent twice. Use a new one, such as a UUID, for each new message.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  example: '0f8b4f5e-6a0e-4b55-9d3a-3c1b8f0f8a11',
  beyondContract: 'Safe repetition of a send.',
}

export const pathParameter = (
  name: string,
  description: string,
  example: string,
  schema: object = {},
): Parameter => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string', minLength: 1, maxLength: 100, ...schema },
  example,
})

export const credentialHeaders = (prefix: string): Parameter[] => [
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
    description: 'API account password, at most 200 characters.',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
  },
]

/** By their names in the components of the document. */
export const answerHeaders = {
  RateLimitLimit: {
    name: 'RateLimit-Limit',
    description:
      'How many destinations (sends) or requests (the others) may come at once. Absent where there is no limit.',
    schema: { type: 'integer', minimum: 0 },
  },
  RateLimitRemaining: {
    name: 'RateLimit-Remaining',
    description: 'How many of them are left now.',
    schema: { type: 'integer', minimum: 0 },
  },
  RateLimitReset: {
    name: 'RateLimit-Reset',
    description: 'Seconds until all of them are there again.',
    schema: { type: 'integer', minimum: 0 },
  },
  RetryAfter: {
    name: 'Retry-After',
    description: 'Seconds to wait before the request may succeed.',
    schema: { type: 'integer', minimum: 0 },
  },
  IdempotencyReplayed: {
    name: 'Idempotency-Replayed',
    description: 'true when this is the answer that an earlier request with the same Idempotency-Key got.',
    schema: { type: 'string', enum: ['true'] },
  },
} as const

export type AnswerHeaderName = keyof typeof answerHeaders
