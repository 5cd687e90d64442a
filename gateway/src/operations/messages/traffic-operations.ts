import { Type } from 'typebox'
import { authorizeTrafficSearch } from './traffic.ts'
import { searchPage } from '../../records/search-page.ts'
import { searchStart, searchTraffic, type TrafficPosition } from '../../records/traffic/search.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import { clientId, nullable, page, pageQuery, record, text, time } from '../fields.ts'
import { toKeyPrefix } from '../key-prefix.ts'
import { defineOperation, personalDataAccess } from '../operation.ts'
import { OperationError } from '../errors.ts'

const Found = record(
  {
    msgKey: text('Key of the message'),
    account: text('Client ID of its account'),
    sender: nullable(text('The sending number, chatbot or key')),
    channel: text('Channel of the step that decided the outcome'),
    reportCode: text('Report code'),
    sentAt: time('Time of sending'),
  },
  'A traffic record',
  { title: 'TrafficRecord' },
)

/** A page of a search ends when it is full, or after this time; the cursor continues the search. */
const budgetMs = 1_000
/** Highest page number of a table in PostgreSQL. */
const maxTablePage = 2 ** 32 - 1

const Position = Type.Tuple([
  Type.String({ pattern: '^([0-9]{6}|default)$' }),
  Type.Integer({ minimum: 0, maximum: maxTablePage }),
  Type.Integer({ minimum: 0, maximum: 65_535 }),
])

function readPosition(cursor: string | undefined): TrafficPosition {
  const position = readCursor(Position, cursor)
  if (position === undefined) return searchStart
  const [partition, at, item] = position
  return { partition, page: at, item }
}

export const trafficOperations = [
  defineOperation({
    id: 'searchTraffic',
    method: 'post',
    path: '/admin/v1/traffic/search',
    tag: 'Messages',
    summary:
      'Search the traffic records of a recipient, a sender, or both; the search is recorded with the last digits of the recipient',
    description:
      'Newest month first; within a month, by time of the final report, newest first. The search reads all records of the period, so narrow it with `from` and `until`. The time per page is limited: a page can be empty and still have a `next`. Records exist if POSTERN_TRAFFIC_DAYS is above 0.',
    access: personalDataAccess('reveal', 'required'),
    action: 'traffic find',
    body: {
      ...pageQuery,
      recipient: Type.Optional(
        text('Recipient, such as 01012345678 or +821012345678', { minLength: 1, maxLength: 40 }),
      ),
      sender: Type.Optional(
        text('Sending number, chatbot or key, as the client specified it', { minLength: 1, maxLength: 200 }),
      ),
      account: Type.Optional(clientId),
      from: Type.Optional(text('Accepted at or after this time', { format: 'date-time', maxLength: 40 })),
      until: Type.Optional(text('Accepted before this time', { format: 'date-time', maxLength: 40 })),
    },
    data: page(Found, 'Traffic records'),
    run: async ({ body }, { database, audit, services: { encryption } }) => {
      const { recipient, sender, account, from, until, limit, cursor } = body
      if (recipient === undefined && sender === undefined)
        throw new OperationError('invalid-request', "'recipient' or 'sender' is required")
      const range = {
        fromKey: from === undefined ? '' : toKeyPrefix('from', from),
        beforeKey: until === undefined ? '~' : toKeyPrefix('until', until),
      }
      const scope = await authorizeTrafficSearch(database, audit, encryption, { recipient, sender, account })
      if (scope === null) return { items: [], next: null }
      const { items, next } = await searchPage(
        (position, room) => searchTraffic(database, { ...scope, ...range }, position, room),
        readPosition(cursor),
        { limit, budgetMs },
      )
      // A record that is moved to its month during the search is found twice, but returned once.
      const byKey = new Map(items.map(({ clientId: account, ...row }) => [row.msgKey, { ...row, account }]))
      return {
        items: [...byKey.values()],
        next: next === null ? null : writeCursor([next.partition, next.page, next.item]),
      }
    },
  }),
]
