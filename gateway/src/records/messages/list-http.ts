/**
 * POST /v1/message/search: finds messages of the account. Not part of the contract. The filters are in the body, because URLs
 * are logged by proxies and one filter is a phone number.
 */
import type { FastifyPluginCallback } from 'fastify'
import { Type, type Static } from 'typebox'
import { requireAccount } from '../../identity/accounts/request-account.ts'
import { reportOutcomes, toReportOutcome } from '../../channels/report-codes.ts'
import { responseSchema, timeField } from '../../contract/response.ts'
import { rateLimitExceeded } from '../../contract/problem.ts'
import type { FormatTime } from '../../contract/times.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { sealFor } from '../../platform/encryption/sealed-cursor.ts'
import type { Piece } from '../search-page.ts'
import { reportCodeField } from '../reports/report-record.ts'
import {
  defaultListed,
  maxCursor,
  maxListed,
  maxRef,
  maxWindowDays,
  readListQuery,
  type ListQuery,
} from './list-query.ts'
import { searchMessages, type FoundMessage } from './search.ts'

export const MessageListItem = Type.Object(
  {
    msgKey: Type.String({ description: 'Key of the message' }),
    to: Type.String({ description: 'Recipient; empty once erased' }),
    ref: Type.Optional(Type.String({ description: 'ref of the send; absent when it had none' })),
    acceptedAt: timeField('When it was accepted'),
    state: Type.Enum(['open', 'closed'], { description: 'closed: its outcome is final' }),
    serviceType: Type.Optional(
      Type.String({ description: 'Channel of the last report; absent while the message is open' }),
    ),
    reportCode: Type.Optional(reportCodeField('Code of the last report; absent while the message is open')),
    outcome: Type.Optional(
      Type.Enum(reportOutcomes, {
        description:
          'What became of the message. unknown: it may have been delivered, and sending it again may deliver it twice. Absent while it is open',
      }),
    ),
  },
  { additionalProperties: false, description: 'A message of the account' },
)
export const MessageSearchRequest = Type.Object(
  {
    since: Type.String({
      format: 'date-time',
      description: 'Messages accepted at or after this time: ISO 8601 with an offset',
    }),
    until: Type.Optional(
      Type.String({
        format: 'date-time',
        description: `Messages accepted before this time, at most ${maxWindowDays} days after \`since\`; default: now`,
      }),
    ),
    ref: Type.Optional(
      Type.String({ minLength: 1, maxLength: maxRef, description: 'The whole `ref` of the send' }),
    ),
    to: Type.Optional(
      Type.String({ description: 'Recipient, as in sends: digits, or + and the country code' }),
    ),
    state: Type.Optional(
      Type.Enum(['open', 'closed'], {
        description: 'open: without an outcome yet. closed: with its outcome',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxListed,
        default: defaultListed,
        description: 'Maximum number of messages on a page',
      }),
    ),
    cursor: Type.Optional(
      Type.String({
        maxLength: maxCursor,
        description: '`cursor` of the page before. Repeat the other fields unchanged',
      }),
    ),
  },
  { additionalProperties: false },
)

export const MessageListResponse = responseSchema(
  {
    message: Type.Array(MessageListItem, { description: `Messages, newest first, at most ${maxListed}` }),
    cursor: Type.Optional(Type.String({ description: 'Continues the list; absent on the last page' })),
  },
  'A page of messages; it may be short or empty and still have a cursor',
)

export interface MessageListOptions {
  readonly database: Database
  readonly formatTime: FormatTime
  readonly tokenSecret: string
}

export function messageListRoutes({
  database,
  formatTime,
  tokenSecret,
}: MessageListOptions): FastifyPluginCallback {
  /** Accounts with a search in progress; limited because all accounts share a few connections. */
  const searching = new Set<number>()

  async function search(
    accountId: number,
    { filter, limit }: ListQuery,
  ): Promise<Piece<FoundMessage, string>> {
    if (searching.has(accountId))
      throw rateLimitExceeded('only one search at a time per account; wait for the response', 1)
    searching.add(accountId)
    try {
      return await searchMessages(database, filter, limit)
    } finally {
      searching.delete(accountId)
    }
  }

  return (server, _options, done) => {
    const schema = { response: { 200: MessageListResponse } }
    server.post('/v1/message/search', { schema }, async (request) => {
      const { id } = requireAccount(request)
      const cursors = sealFor(id, tokenSecret)
      const query = readListQuery(request.body, id, cursors, clock.date())
      const { items, next } = await search(id, query)
      const message = items.map((row) => toListed(row, formatTime))
      const data = { message, ...(next === null ? {} : { cursor: cursors.write(next) }) }
      return { code: 'A000', result: 'Success', data }
    })
    done()
  }
}

function toListed(row: FoundMessage, formatTime: FormatTime): Static<typeof MessageListItem> {
  const { msgKey, recipient, ref, acceptedAt, open, serviceType, code } = row
  return {
    msgKey,
    to: recipient,
    ...(ref === null ? {} : { ref }),
    acceptedAt: formatTime(acceptedAt),
    state: open ? 'open' : 'closed',
    ...(serviceType === null || code === null
      ? {}
      : { serviceType, reportCode: code, outcome: toReportOutcome(code) }),
  }
}
