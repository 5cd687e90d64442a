/** Reads and checks the parameters of a stream, and encodes and parses its cursors. */
import type { FastifyRequest } from 'fastify'
import { invalidField, Problem } from '../../contract/problem.ts'
import { parseIntegerParameter, parseTimeParameter } from '../../contract/query-parameters.ts'
import type { Feed, FeedRow } from './feed.ts'

export interface StreamQuery {
  readonly cursor?: string | undefined
  readonly consumer?: string | undefined
  readonly from?: Date | undefined
  readonly limit: number
  readonly waitMs: number
}

export const maxStreamed = 1000
export const maxWaitSeconds = 30

export function readStreamQuery(request: FastifyRequest): StreamQuery {
  const query = request.query as Readonly<Record<string, unknown>>
  return {
    cursor: readText(query.cursor, 'cursor'),
    consumer: query.consumer === undefined ? undefined : readConsumer(query.consumer),
    from: query.from === undefined ? undefined : parseTimeParameter(query.from, 'from'),
    limit:
      query.limit === undefined ? maxStreamed : parseIntegerParameter(query.limit, 'limit', 1, maxStreamed),
    waitMs:
      query.wait === undefined ? 0 : parseIntegerParameter(query.wait, 'wait', 0, maxWaitSeconds) * 1000,
  }
}

export function readConsumer(name: unknown): string {
  if (typeof name === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(name)) return name
  throw new Problem('A807', 'Invalid consumer: must be 1 to 64 letters, digits, dots, hyphens or underscores')
}

function readText(given: unknown, name: string): string | undefined {
  if (given === undefined || typeof given === 'string') return given
  throw invalidField('A300', name, 'must appear only once')
}

type FeedMark = Pick<Feed<FeedRow>, 'cursorMark'>

/**
 * Encodes an opaque position in the order of one account and feed. It contains feed and account, because a cursor of
 * another account or feed would otherwise be accepted and skip rows unnoticed.
 */
export function encodeFeedCursor({ cursorMark }: FeedMark, accountId: number, seq: number): string {
  return Buffer.from(`${cursorMark}.${padded(accountId, 6)}.${padded(seq, 10)}`).toString('base64url')
}

function padded(number: number, digits: number): string {
  return number.toString(36).padStart(digits, '0')
}

/** Returns the sequence number after which to read, or null if the text is not a cursor of this account and feed. */
export function parseFeedCursor(feed: FeedMark, accountId: number, cursor: unknown): number | null {
  if (typeof cursor !== 'string' || !/^[A-Za-z0-9_-]{6,64}$/.test(cursor)) return null
  const seq = Buffer.from(cursor, 'base64url').toString('latin1').split('.')[2] ?? ''
  const number = /^[0-9a-z]{1,11}$/.test(seq) ? parseInt(seq, 36) : NaN
  return Number.isSafeInteger(number) && encodeFeedCursor(feed, accountId, number) === cursor ? number : null
}
