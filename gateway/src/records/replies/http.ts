/** GET /v1/replies and DELETE /v1/replies/{batchId}; GET /v1/replies/stream and POST /v1/replies/stream/{consumer}. */
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Account } from '../../accounts/account.ts'
import { requireAccount } from '../../accounts/request-account.ts'
import { answerWith, PlainAnswer } from '../../contract/answer.ts'
import { Problem } from '../../contract/problem.ts'
import type { FormatTime } from '../../contract/times.ts'
import { clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import { maxConsumers } from '../consumers.ts'
import { readCursor, writeCursor } from '../reports/cursor.ts'
import { isReportId } from '../reports/poll.ts'
import type { ReportWaiters } from '../reports/report-waiters.ts'
import { readConsumer, readStreamQuery, type StreamQuery } from '../reports/stream-query.ts'
import { acknowledgeReplies, maxReplyBatch, pollReplies, replyConsumers } from './poll.ts'
import { lastReplySeq, readReplies } from './queries.ts'
import { ReplyRecord, toReplyRecord } from './reply.ts'
import { seekReplies } from './seek.ts'

export const ReplyBatchAnswer = answerWith(
  {
    batchId: Type.String({ description: 'Acknowledges the batch; empty when there is no reply' }),
    reply: Type.Array(ReplyRecord, {
      description: `Replies in order, at most ${maxReplyBatch}; empty when there are none`,
    }),
  },
  'A batch of replies; the same one until it is acknowledged',
)
export const ReplyStreamAnswer = answerWith(
  {
    cursor: Type.String({ description: 'Position to continue from; unchanged when there was no reply' }),
    reply: Type.Array(ReplyRecord, { description: 'Replies in order; empty when there are none' }),
  },
  'Replies after the requested position',
)

export interface ReplyRoutesOptions {
  readonly database: Database
  readonly waiters: ReportWaiters
  readonly formatTime: FormatTime
}

/** Another one than in cursors of reports: neither stream takes a cursor of the other. */
const cursorIdOf = ({ id }: Account): number => -id
const success = { code: 'A000', result: 'Success' }

export function replyRoutes({ database, waiters, formatTime }: ReplyRoutesOptions): FastifyPluginCallback {
  function pollingAccount(request: FastifyRequest): Account {
    const account = requireAccount(request)
    if (!account.mayPoll) throw new Problem('A802', 'No permission to Pull API')
    return account
  }

  function seqOf(account: Account, cursor: unknown): number {
    const seq = typeof cursor === 'string' ? readCursor(cursorIdOf(account), cursor) : null
    if (seq === null)
      throw new Problem('A806', 'Invalid cursor: must be a cursor that this stream returned to this account')
    return seq
  }

  async function placeOf(account: Account, { cursor, from, consumer }: StreamQuery): Promise<number> {
    if (cursor !== undefined) return seqOf(account, cursor)
    if (from !== undefined) return seekReplies(database, account.id, from)
    return (
      (consumer === undefined ? null : await replyConsumers.position(database, account.id, consumer)) ?? 0
    )
  }

  async function waitFor(request: FastifyRequest, accountId: number, seq: number, ms: number): Promise<void> {
    const disconnected = new AbortController()
    const leave = (): void => disconnected.abort()
    request.raw.socket.once('close', leave)
    await waiters.wait(accountId, seq, ms, disconnected.signal)
    request.raw.socket.off('close', leave)
  }

  return (server, _options, done) => {
    server.get('/v1/replies', { schema: { response: { 200: ReplyBatchAnswer } } }, async (request) => {
      const account = pollingAccount(request)
      const { batchId, rows } = await pollReplies(database, account.id, clock.date())
      return { ...success, data: { batchId, reply: rows.map((row) => toReplyRecord(row, formatTime)) } }
    })

    server.delete<{ Params: { batchId: string } }>(
      '/v1/replies/:batchId',
      { schema: { response: { 200: PlainAnswer } } },
      async (request) => {
        const account = pollingAccount(request)
        const { batchId } = request.params
        if (!isReportId(batchId) || !(await acknowledgeReplies(database, account.id, batchId)))
          throw new Problem(
            'A805',
            'Invalid batchId: must be that of the batch that GET /v1/replies returned',
          )
        return success
      },
    )

    server.get(
      '/v1/replies/stream',
      { schema: { response: { 200: ReplyStreamAnswer } } },
      async (request) => {
        const account = pollingAccount(request)
        const query = readStreamQuery(request)
        const place = await placeOf(account, query)
        const read = () => readReplies(database, account.id, place, Number.MAX_SAFE_INTEGER, query.limit)
        let rows = await read()
        if (rows.length === 0 && query.waitMs > 0) {
          await waitFor(request, account.id, place, query.waitMs)
          rows = await read()
        }
        const cursor = writeCursor(cursorIdOf(account), rows.at(-1)?.seq ?? place)
        return { ...success, data: { cursor, reply: rows.map((row) => toReplyRecord(row, formatTime)) } }
      },
    )

    server.post<{ Params: { consumer: string }; Body: unknown }>(
      '/v1/replies/stream/:consumer',
      { schema: { response: { 200: PlainAnswer } } },
      async (request) => {
        const account = pollingAccount(request)
        const name = readConsumer(request.params.consumer)
        const seq = seqOf(account, (request.body as { cursor?: unknown } | null)?.cursor)
        if (seq > (await lastReplySeq(database, account.id)))
          throw new Problem('A806', 'Invalid cursor: it is after the last reply')
        if (!(await replyConsumers.move(database, account.id, name, seq)))
          throw new Problem(
            'A807',
            `Invalid consumer: an account has at most ${maxConsumers}, use one of them`,
          )
        return success
      },
    )
    done()
  }
}
