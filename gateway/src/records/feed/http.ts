/**
 * Polling and stream of a feed over HTTP: GET and DELETE for batches, GET for the stream, POST for the
 * position of a consumer. The stream is not part of the contract. Polling, each consumer and webhooks have
 * separate positions.
 */
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import { Type, type TSchema } from 'typebox'
import type { Account } from '../../identity/accounts/account.ts'
import { requireAccount } from '../../identity/accounts/request-account.ts'
import { StatusResponse } from '../../contract/response.ts'
import { Problem } from '../../contract/problem.ts'
import type { Database } from '../../platform/database/database.ts'
import { maxConsumers, moveConsumer, readPosition } from './consumers.ts'
import { readFeed, readLastSeq, seekTime, type Feed, type FeedRow } from './feed.ts'
import { acknowledgeBatch, isBatchId, pollFeed } from './poll.ts'
import {
  parseFeedCursor,
  readConsumer,
  readStreamQuery,
  encodeFeedCursor,
  type StreamQuery,
} from './stream-query.ts'
import type { FeedWaiters } from './waiters.ts'

export const StreamPosition = Type.Object(
  { cursor: Type.String({ description: 'The cursor returned with the last records processed' }) },
  { additionalProperties: false, description: 'Position of the consumer' },
)
export const ndjson = 'application/x-ndjson'

export interface FeedEndpoints<Row extends FeedRow> {
  readonly feed: Feed<Row>
  readonly pollPath: string
  readonly streamPath: string
  readonly pollResponse: TSchema
  readonly streamResponse: TSchema
  /** Name of the batch id, in `data` and in the path. */
  readonly batchField: string
  /** Name of the array of records in `data`. */
  readonly rowsField: string
  readonly unknownBatchText: string
  /** Response header with the cursor if the body is NDJSON; without it, the stream returns JSON documents only. */
  readonly linesCursorHeader?: string
  readonly toRecords: (rows: readonly Row[], account: Account) => Promise<readonly object[]>
}

export interface FeedRouteContext {
  readonly database: Database
  readonly waiters: FeedWaiters
}

const success = { code: 'A000', result: 'Success' }

export function feedRoutes<Row extends FeedRow>(
  { database, waiters }: FeedRouteContext,
  endpoints: FeedEndpoints<Row>,
): FastifyPluginCallback {
  const { feed, pollPath, streamPath, batchField, rowsField, linesCursorHeader, toRecords } = endpoints

  async function findStart(account: Account, { cursor, from, consumer }: StreamQuery): Promise<number> {
    if (cursor !== undefined) return requireSeq(account, cursor)
    if (from !== undefined) return seekTime(database, feed, account.id, from)
    return (consumer === undefined ? null : await readPosition(database, feed, account.id, consumer)) ?? 0
  }

  function requireSeq(account: Account, cursor: unknown): number {
    const seq = parseFeedCursor(feed, account.id, cursor)
    if (seq === null)
      throw new Problem('A806', 'Invalid cursor: must be a cursor that this stream returned to this account')
    return seq
  }

  async function waitForNext(
    request: FastifyRequest,
    accountId: number,
    seq: number,
    ms: number,
  ): Promise<void> {
    const disconnected = new AbortController()
    const leave = (): void => disconnected.abort()
    request.raw.socket.once('close', leave)
    await waiters.wait(accountId, seq, ms, disconnected.signal)
    request.raw.socket.off('close', leave)
  }

  return (server, _options, done) => {
    server.get(pollPath, { schema: { response: { 200: endpoints.pollResponse } } }, async (request) => {
      const account = requirePollingAccount(request)
      const { batchId, rows } = await pollFeed(database, feed, account.id)
      return { ...success, data: { [batchField]: batchId, [rowsField]: await toRecords(rows, account) } }
    })

    server.delete<{ Params: Readonly<Record<string, string>> }>(
      `${pollPath}/:${batchField}`,
      { schema: { response: { 200: StatusResponse } } },
      async (request) => {
        const account = requirePollingAccount(request)
        const batchId = request.params[batchField]!
        if (!isBatchId(batchId) || !(await acknowledgeBatch(database, feed, account.id, batchId)))
          throw new Problem('A805', endpoints.unknownBatchText)
        return success
      },
    )

    server.get(
      streamPath,
      {
        schema: {
          response: { 200: { content: { 'application/json': { schema: endpoints.streamResponse } } } },
        },
      },
      async (request, reply) => {
        const account = requirePollingAccount(request)
        const query = readStreamQuery(request)
        const afterSeq = await findStart(account, query)
        const read = () => readFeed(database, feed, { accountId: account.id, afterSeq, limit: query.limit })
        let rows = await read()
        if (rows.length === 0 && query.waitMs > 0) {
          await waitForNext(request, account.id, afterSeq, query.waitMs)
          rows = await read()
        }
        const cursor = encodeFeedCursor(feed, account.id, rows.at(-1)?.seq ?? afterSeq)
        const records = await toRecords(rows, account)
        if (linesCursorHeader === undefined || !(request.headers.accept ?? '').includes(ndjson))
          return reply.type('application/json').send({ ...success, data: { cursor, [rowsField]: records } })
        return reply
          .header(linesCursorHeader, cursor)
          .type(ndjson)
          .send(records.map((record) => `${JSON.stringify(record)}\n`).join(''))
      },
    )

    server.post<{ Params: { consumer: string }; Body: unknown }>(
      `${streamPath}/:consumer`,
      { schema: { response: { 200: StatusResponse } } },
      async (request) => {
        const account = requirePollingAccount(request)
        const name = readConsumer(request.params.consumer)
        const seq = requireSeq(account, (request.body as { cursor?: unknown } | null)?.cursor)
        if (seq > (await readLastSeq(database, feed, account.id)))
          throw new Problem('A806', `Invalid cursor: it is after the last ${feed.name}`)
        if (!(await moveConsumer(database, feed, account.id, name, seq)))
          throw new Problem(
            'A807',
            `Invalid consumer: an account has at most ${maxConsumers}; reuse an existing name`,
          )
        return success
      },
    )
    done()
  }
}

function requirePollingAccount(request: FastifyRequest): Account {
  const account = requireAccount(request)
  if (!account.mayPoll) throw new Problem('A802', 'No permission to Pull API')
  return account
}
