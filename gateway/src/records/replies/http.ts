/** GET /v1/replies and DELETE /v1/replies/{batchId}, and the stream of replies. */
import type { FastifyPluginCallback } from 'fastify'
import { Type } from 'typebox'
import { responseSchema } from '../../contract/response.ts'
import type { FormatTime } from '../../contract/times.ts'
import { feedRoutes, type FeedRouteContext } from '../feed/http.ts'
import { maxBatchSize } from '../feed/poll.ts'
import { replyFeed } from './queries.ts'
import { ReplyRecord, toReplyRecord } from './reply.ts'

export const ReplyBatchResponse = responseSchema(
  {
    batchId: Type.String({ description: 'Acknowledges the batch; empty when there is no reply' }),
    reply: Type.Array(ReplyRecord, {
      description: `Replies in order, at most ${maxBatchSize}; empty when there are none`,
    }),
  },
  'A batch of replies; the same one until it is acknowledged',
)
export const ReplyStreamResponse = responseSchema(
  {
    cursor: Type.String({ description: 'Position to continue from; unchanged when there was no reply' }),
    reply: Type.Array(ReplyRecord, { description: 'Replies in order; empty when there are none' }),
  },
  'Replies after the requested position',
)

export interface ReplyRoutesOptions extends FeedRouteContext {
  readonly formatTime: FormatTime
}

export function replyRoutes(options: ReplyRoutesOptions): FastifyPluginCallback {
  return feedRoutes(options, {
    feed: replyFeed,
    pollPath: '/v1/replies',
    streamPath: '/v1/replies/stream',
    pollResponse: ReplyBatchResponse,
    streamResponse: ReplyStreamResponse,
    batchField: 'batchId',
    rowsField: 'reply',
    unknownBatchText: 'Invalid batchId: must be that of the batch that GET /v1/replies returned',
    toRecords: (rows) => Promise.resolve(rows.map((row) => toReplyRecord(row, options.formatTime))),
  })
}
