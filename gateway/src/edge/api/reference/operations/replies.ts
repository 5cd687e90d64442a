import { maxConsumers } from '../../../../records/feed/consumers.ts'
import {
  acknowledgeReplyExamples,
  replyExamples,
  replyPositionExamples,
  replyStreamExamples,
} from '../examples/replies.ts'
import { sampleValues } from '../examples/sample-values.ts'
import type { Operation } from '../operation.ts'
import { pathParameter } from '../parameters.ts'
import { ref } from '../ref.ts'
import { consumerName, streamParameters } from './stream-parameters.ts'

const beyondContract = 'Replies of recipients.'

export const replyOperations: readonly Operation[] = [
  {
    id: 'pollReplies',
    method: 'get',
    path: '/v1/replies',
    tag: 'Replies',
    summary: 'Get the next replies',
    description:
      'Messages from recipients to your numbers, chatbots and brands, oldest first, at most 1000. The same batch is ' +
      'returned until it is acknowledged. The account needs the permission to poll. A webhook with the event `replies` ' +
      'receives them too; polling and webhooks have separate positions.',
    response: { description: 'A batch of replies', schema: ref('ReplyBatchResponse') },
    codes: ['A802'],
    links: {
      acknowledge: {
        operationId: 'acknowledgeReplies',
        description: 'Acknowledge the batch',
        parameters: { batchId: '$response.body#/data/batchId' },
      },
    },
    beyondContract,
    examples: replyExamples,
  },
  {
    id: 'acknowledgeReplies',
    method: 'delete',
    path: '/v1/replies/{batchId}',
    tag: 'Replies',
    summary: 'Acknowledge a batch of replies',
    description: 'Acknowledge a batch after you have stored it: the next poll returns what follows it.',
    parameters: [
      pathParameter('batchId', 'The batchId that GET /v1/replies returned.', sampleValues.replyBatchId, {
        type: 'string',
      }),
    ],
    response: { description: 'Acknowledged', schema: ref('PlainResponse') },
    codes: ['A802', 'A805'],
    beyondContract,
    examples: acknowledgeReplyExamples,
  },
  {
    id: 'streamReplies',
    method: 'get',
    path: '/v1/replies/stream',
    tag: 'Replies',
    summary: 'Read replies from any position',
    description:
      'The same replies as polling, in the same order, for as long as they are stored and any number of times. Reading ' +
      'starts after cursor; without it, at the time from; without both, at the position of the consumer, or at the oldest ' +
      'reply. Cursors and consumers are separate from those of reports.',
    parameters: streamParameters({
      one: 'reply',
      many: 'replies',
      cursor: 'A cursor from an earlier response of this stream.',
      from: 'Start with replies that were stored at this time: ISO 8601 with an offset.',
    }),
    response: {
      description: 'The replies, and the cursor to continue from',
      schema: ref('ReplyStreamResponse'),
    },
    codes: ['A300', 'A802', 'A806', 'A807'],
    links: {
      acknowledge: {
        operationId: 'moveReplyConsumer',
        description: 'Acknowledge the replies',
        requestBody: { cursor: '$response.body#/data/cursor' },
      },
    },
    beyondContract,
    examples: replyStreamExamples,
  },
  {
    id: 'moveReplyConsumer',
    method: 'post',
    path: '/v1/replies/stream/{consumer}',
    tag: 'Replies',
    summary: 'Acknowledge replies up to a cursor',
    description:
      'Acknowledge replies after you have stored them: the consumer’s next read continues after them. A position only moves ' +
      `forward. An account can have at most ${maxConsumers} consumers of replies.`,
    parameters: [
      pathParameter('consumer', 'The consumer with which the stream was read.', 'crm', consumerName),
    ],
    body: {
      contentType: 'application/json',
      schema: ref('StreamPosition'),
      description: `For example {"cursor": "${sampleValues.replyCursor}"}`,
    },
    response: { description: 'Acknowledged', schema: ref('PlainResponse') },
    codes: ['A802', 'A806', 'A807'],
    beyondContract,
    examples: replyPositionExamples,
  },
]
