/**
 * GET /v1/report/stream and POST /v1/report/stream/{consumer}. Beyond the contract. Polling and webhooks have positions of
 * their own, independent of the stream.
 */
import { requireAccount } from '../../accounts/request-account.ts'
import { Type } from 'typebox'
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/account.ts'
import { answerWith, PlainAnswer } from '../../contract/answer.ts'
import type { Database } from '../../platform/database.ts'
import { Problem } from '../../contract/problem.ts'
import type { FormatTime } from '../../contract/times.ts'
import { maxConsumers } from '../consumers.ts'
import { reportConsumers } from './consumers.ts'
import { readCursor, writeCursor } from './cursor.ts'
import type { ReportWaiters } from './report-waiters.ts'
import { Report } from './http.ts'
import { lastSeqOf } from './queries.ts'
import { toPolledRecord } from './report-record.ts'
import { addMessages } from './reported-message.ts'
import { placeOf, readStream } from './stream.ts'
import { readConsumer, readStreamQuery } from './stream-query.ts'

export const StreamAnswer = answerWith(
  {
    cursor: Type.String({ description: 'Position to continue from; unchanged when there was no report' }),
    report: Type.Array(Report, { description: 'Reports in order; empty when there are none' }),
  },
  'Reports after the requested position',
)
export const StreamPosition = Type.Object(
  { cursor: Type.String({ description: 'The cursor returned with the last reports processed' }) },
  { additionalProperties: false, description: 'Position of the consumer' },
)
export const ndjson = 'application/x-ndjson'
export const cursorHeader = 'report-cursor'

export interface StreamRoutesOptions {
  readonly database: Database
  readonly waiters: ReportWaiters
  readonly formatTime: FormatTime
}

export function streamRoutes(options: StreamRoutesOptions): FastifyPluginCallback {
  const { database, waiters, formatTime } = options

  function streamingAccount(request: FastifyRequest): Account {
    const account = requireAccount(request)
    if (!account.mayPoll) throw new Problem('A802', 'No permission to Pull API')
    return account
  }

  function seqOf(account: Account, cursor: unknown): number {
    const seq = typeof cursor === 'string' ? readCursor(account.id, cursor) : null
    if (seq === null)
      throw new Problem('A806', 'Invalid cursor: must be a cursor that the stream returned to this account')
    return seq
  }

  return (server, _options, done) => {
    server.get(
      '/v1/report/stream',
      { schema: { response: { 200: { content: { 'application/json': { schema: StreamAnswer } } } } } },
      async (request, reply) => {
        const account = streamingAccount(request)
        const { cursor, consumer, from, limit, waitMs } = readStreamQuery(request)
        const afterSeq = cursor === undefined ? undefined : seqOf(account, cursor)
        const place = await placeOf(database, account.id, { consumer, afterSeq, from })
        const sought = afterSeq === undefined ? from : undefined
        let streamed = await readStream(database, account.id, place, limit, sought)
        if (streamed.rows.length === 0 && waitMs > 0) {
          await waitFor(request, account.id, streamed.lastSeq, waitMs)
          streamed = await readStream(database, account.id, streamed.lastSeq, limit, sought)
        }
        const next = writeCursor(account.id, streamed.lastSeq)
        const reports = await addMessages(database, streamed.rows, () => account.reportKeys === 'full')
        const report = reports.map((row) => toPolledRecord(row, formatTime, account))
        if (!wantsLines(request)) {
          return reply.type('application/json').send({
            ...{ code: 'A000', result: 'Success' },
            data: { cursor: next, report },
          })
        }
        return reply
          .header(cursorHeader, next)
          .type(ndjson)
          .send(report.map((record) => `${JSON.stringify(record)}\n`).join(''))
      },
    )

    server.post<{ Params: { consumer: string }; Body: unknown }>(
      '/v1/report/stream/:consumer',
      { schema: { response: { 200: PlainAnswer } } },
      async (request) => {
        const account = streamingAccount(request)
        const name = readConsumer(request.params.consumer)
        const seq = seqOf(account, (request.body as { cursor?: unknown } | null)?.cursor)
        if (seq > (await lastSeqOf(database, account.id)))
          throw new Problem('A806', 'Invalid cursor: it is after the last report')
        if (!(await reportConsumers.move(database, account.id, name, seq))) {
          throw new Problem(
            'A807',
            `Invalid consumer: an account has at most ${maxConsumers}, use one of them`,
          )
        }
        return { code: 'A000', result: 'Success' }
      },
    )
    done()
  }

  async function waitFor(request: FastifyRequest, accountId: number, seq: number, ms: number): Promise<void> {
    const disconnected = new AbortController()
    const leave = (): void => disconnected.abort()
    request.raw.socket.once('close', leave)
    await waiters.wait(accountId, seq, ms, disconnected.signal)
    request.raw.socket.off('close', leave)
  }
}

function wantsLines(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes(ndjson)
}
