/** GET /v1/report/stream, POST /v1/report/stream/{consumer}. */
import { maxConsumers } from '../../../records/reports/consumers.ts'
import { ndjson } from '../../../records/reports/stream-http.ts'
import { maxWaitSeconds } from '../../../records/reports/stream-query.ts'
import { maxStreamed } from '../../../records/reports/stream.ts'
import { positionExamples, streamExamples } from '../examples/stream.ts'
import { shown } from '../examples/shown.ts'
import type { Operation, Parameter } from '../operation.ts'
import { pathParameter } from '../parameters.ts'
import { ref } from '../ref.ts'

const name = { type: 'string', pattern: '^[A-Za-z0-9._-]{1,64}$' }
const beyondContract = 'Reports as a stream with cursors.'

const optional = (parameter: Pick<Parameter, 'name' | 'description' | 'schema'>): Parameter => ({
  ...parameter,
  in: 'query',
  required: false,
})

export const streamOperations: readonly Operation[] = [
  {
    id: 'streamReports',
    method: 'get',
    path: '/v1/report/stream',
    tag: 'Reports',
    summary: 'Read reports from any place',
    description:
      'The records of polling, in the same order, for 30 days and as often as wanted. Where to begin: at cursor; ' +
      'else at the time from; else where the consumer has come to; else at the oldest report kept. Polling, ' +
      'webhooks and every consumer keep places of their own. With Accept: application/x-ndjson each report is a ' +
      'line of its own, and the header Report-Cursor says where to go on. The account needs the permission to poll.',
    parameters: [
      optional({ name: 'consumer', description: 'A name of yours whose place is kept.', schema: name }),
      optional({
        name: 'cursor',
        description: 'What the stream answered before.',
        schema: { type: 'string', maxLength: 64 },
      }),
      optional({
        name: 'from',
        description: 'Reports that became known at this time or later: ISO 8601 with offset.',
        schema: { type: 'string', format: 'date-time' },
      }),
      optional({
        name: 'limit',
        description: 'How many reports at most.',
        schema: { type: 'integer', minimum: 1, maximum: maxStreamed, default: maxStreamed },
      }),
      optional({
        name: 'wait',
        description: 'Seconds to wait for a report when there is none.',
        schema: { type: 'integer', minimum: 0, maximum: maxWaitSeconds, default: 0 },
      }),
    ],
    answer: {
      description: 'Reports, as far as there are any, and where to go on',
      schema: ref('StreamAnswer'),
      also: { [ndjson]: 'One report a line' },
    },
    codes: ['A300', 'A802', 'A806', 'A807'],
    links: {
      acknowledge: {
        operationId: 'moveConsumer',
        description: 'The reports were taken over',
        requestBody: { cursor: '$response.body#/data/cursor' },
      },
    },
    beyondContract,
    examples: streamExamples,
  },
  {
    id: 'moveConsumer',
    method: 'post',
    path: '/v1/report/stream/{consumer}',
    tag: 'Reports',
    summary: 'Acknowledge up to a cursor',
    description:
      'Do it once the reports are safe with you: the consumer’s next read goes on after them. A place moves forward ' +
      `alone; to read again, give a cursor or a time. An account has at most ${maxConsumers} consumers.`,
    parameters: [pathParameter('consumer', 'The name that the stream was read with.', 'billing', name)],
    body: {
      contentType: 'application/json',
      schema: ref('StreamPosition'),
      description: `Such as {"cursor": "${shown.cursor}"}`,
    },
    answer: { description: 'Moved', schema: ref('PlainAnswer') },
    codes: ['A802', 'A806', 'A807'],
    beyondContract,
    examples: positionExamples,
  },
]
