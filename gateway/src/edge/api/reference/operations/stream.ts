import { maxConsumers } from '../../../../records/feed/consumers.ts'
import { ndjson } from '../../../../records/feed/http.ts'
import { positionExamples, streamExamples } from '../examples/stream.ts'
import { sampleValues } from '../examples/sample-values.ts'
import type { Operation } from '../operation.ts'
import { pathParameter } from '../parameters.ts'
import { ref } from '../ref.ts'
import { consumerName, streamParameters } from './stream-parameters.ts'

const beyondContract = 'Reports as a stream with cursors.'

export const streamOperations: readonly Operation[] = [
  {
    id: 'streamReports',
    method: 'get',
    path: '/v1/report/stream',
    tag: 'Reports',
    summary: 'Read reports from any position',
    description:
      'The same reports as polling, in the same order, for 30 days and any number of times. The start is cursor, else the ' +
      'time from, else the position of the consumer, else the oldest report. Polling, webhooks and every consumer have ' +
      'independent positions. With Accept: application/x-ndjson each report is one line, and the header Report-Cursor ' +
      'contains the position to continue from. The account needs the permission to poll.',
    parameters: streamParameters({
      one: 'report',
      many: 'reports',
      cursor: 'A cursor from an earlier response of the stream.',
      from: 'Start with reports that became known at this time: ISO 8601 with an offset.',
    }),
    response: {
      description: 'The reports, and the cursor to continue from',
      schema: ref('StreamResponse'),
      also: { [ndjson]: 'One report per line' },
    },
    codes: ['A300', 'A802', 'A806', 'A807'],
    links: {
      acknowledge: {
        operationId: 'moveConsumer',
        description: 'Acknowledge the reports',
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
      'Acknowledge reports after you have stored them: the consumer’s next read continues after them. A position only ' +
      `moves forward; to read again, pass a cursor or a time. An account can have at most ${maxConsumers} consumers.`,
    parameters: [
      pathParameter('consumer', 'The consumer with which the stream was read.', 'billing', consumerName),
    ],
    body: {
      contentType: 'application/json',
      schema: ref('StreamPosition'),
      description: `For example {"cursor": "${sampleValues.cursor}"}`,
    },
    response: { description: 'Acknowledged', schema: ref('PlainResponse') },
    codes: ['A802', 'A806', 'A807'],
    beyondContract,
    examples: positionExamples,
  },
]
