/** POST /admin/v1/traffic/search: who sent to a number or from one, and when. */
import { Type } from 'typebox'
import { lookAtTraffic } from '../../acts/traffic.ts'
import { searchPage } from '../../records/search-page.ts'
import { searchStart, searchTraffic, type TrafficPosition } from '../../records/traffic/search.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import { clientId, nullable, page, pageQuery, record, text, time } from '../fields.ts'
import { keyAt } from '../key-time.ts'
import { defineOperation, looks } from '../operation.ts'
import { OperationError } from '../../acts/errors.ts'

const Found = record(
  {
    msgKey: text('Key of the message'),
    account: text('Client id of its account'),
    sender: nullable(text('The number, chatbot or key that it was sent from')),
    channel: text('Channel of the step that decided the outcome'),
    reportCode: text('Its report code'),
    sentAt: time('When it was sent'),
  },
  'A traffic record',
  { title: 'TrafficRecord' },
)

/** A page of a search ends when it is full, or after this long: the cursor goes on from there. */
const budgetMs = 1_000
const maxPage = 2 ** 32 - 1

const Position = Type.Tuple([
  Type.String({ pattern: '^([0-9]{6}|default)$' }),
  Type.Integer({ minimum: 0, maximum: maxPage }),
  Type.Integer({ minimum: 0, maximum: 65_535 }),
])

function readPosition(cursor: string | undefined): TrafficPosition {
  const found = readCursor(Position, cursor)
  if (found === undefined) return searchStart
  const [partition, at, item] = found
  return { partition, page: at, item }
}

export const trafficOperations = [
  defineOperation({
    id: 'searchTraffic',
    method: 'post',
    path: '/admin/v1/traffic/search',
    tag: 'Messages',
    summary:
      'Search the traffic records of a recipient, of a sender, or of both; recorded with the last digits of the recipient',
    description:
      'The newest month first, within a month in the order in which the messages ended, the last first. It reads all records of the time: a page takes a bounded time, may be empty, and still has a `next`. Give `from` and `until` where they are known. There are records while POSTERN_TRAFFIC_DAYS is above 0.',
    access: looks('reveal', 'required'),
    action: 'traffic find',
    body: {
      ...pageQuery,
      recipient: Type.Optional(
        text('Recipient, such as 01012345678 or +821012345678', { minLength: 1, maxLength: 40 }),
      ),
      sender: Type.Optional(
        text('Number, chatbot or key that it was sent from, as the client named it', {
          minLength: 1,
          maxLength: 200,
        }),
      ),
      account: Type.Optional(clientId),
      from: Type.Optional(text('Sent at or after this time', { format: 'date-time', maxLength: 40 })),
      until: Type.Optional(text('Sent before this time', { format: 'date-time', maxLength: 40 })),
    },
    data: page(Found, 'Traffic records'),
    run: async ({ body }, { database, audit, services: { encryption } }) => {
      const { recipient, sender, account, from, until, limit, cursor } = body
      if (recipient === undefined && sender === undefined)
        throw new OperationError('invalid-request', "'recipient' or 'sender' must be given")
      const range = {
        fromKey: from === undefined ? '' : keyAt('from', from),
        beforeKey: until === undefined ? '~' : keyAt('until', until),
      }
      const whose = await lookAtTraffic(database, audit, encryption, { recipient, sender, account })
      if (whose === null) return { items: [], next: null }
      const { items, next } = await searchPage(
        (position, room) => searchTraffic(database, { ...whose, ...range }, position, room),
        readPosition(cursor),
        { limit, budgetMs },
      )
      // A record that is moved to its month during the search is found twice.
      const found = new Map(items.map(({ clientId: account, ...one }) => [one.msgKey, { ...one, account }]))
      return {
        items: [...found.values()],
        next: next === null ? null : writeCursor([next.partition, next.page, next.item]),
      }
    },
  }),
]
