/** GET /admin/v1/messages and POST /admin/v1/messages/search. */
import { Type, type Static } from 'typebox'
import { requireAccountId } from '../../acts/accounts.ts'
import { maskNumber } from '../../channels/numbers.ts'
import { isoTimeOfKey } from '../../contract/msg-key.ts'
import { clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import { sealFor, type CursorFormat } from '../../platform/sealed-cursor.ts'
import {
  afterEveryKey,
  firstKey,
  searchMessages,
  type FoundRow,
  type MessageFilter,
} from '../../records/messages/search.ts'
import { plainFormat, readCursor, writeCursor } from '../cursor.ts'
import { clientId, nullable, oneOf, page, pageQuery, record, text, time } from '../fields.ts'
import { keyAt } from '../key-time.ts'
import { defineOperation, looks, reads, type RequestContext } from '../operation.ts'
import { messageActOperations } from './message-acts.ts'
import { explainOperation } from './message-routes.ts'
import { showOperation } from './message-timeline.ts'

const Found = record(
  {
    msgKey: text('Key of the message'),
    account: nullable(text('Client id of its account; null when the account does not exist any more')),
    recipient: text('Recipient: its last digits, unless it is revealed'),
    ref: nullable(text("The client's reference")),
    acceptedAt: time('When it was accepted'),
    state: oneOf(['open', 'closed'], 'closed: it has ended'),
    code: nullable(text('Report code of its last step; null while it is open')),
    codeText: nullable(text('What the code means')),
  },
  'A message',
  { title: 'FoundMessage' },
)

const criteria = {
  code: Type.Optional(text('A report code of one of its steps', { minLength: 1, maxLength: 20 })),
  state: Type.Optional(oneOf(['open', 'closed'], 'Only open, or only closed messages')),
  from: Type.Optional(text('Accepted at or after this time', { format: 'date-time', maxLength: 40 })),
  until: Type.Optional(text('Accepted before this time', { format: 'date-time', maxLength: 40 })),
}

const KeyCursor = Type.Tuple([Type.Literal('key'), Type.String({ maxLength: 32 })])

const Searched = record(
  {
    ...page(Found, 'Messages').properties,
    searchedUntil: nullable(
      time('Messages accepted at or after this time were searched; null: all. For a client to the hour'),
    ),
  },
  'A page of the search',
  { title: 'FoundMessagePage' },
)

const aboutPages =
  'A page may have fewer messages than `limit`, or none, and still a `next`: a page takes a bounded time, and `searchedUntil` says how far ' +
  'the search has come.'

const search = defineOperation({
  id: 'searchMessages',
  method: 'get',
  path: '/admin/v1/messages',
  tag: 'Messages',
  summary: 'Search messages, newest first',
  description:
    `${aboutPages} A ref, a code and the messages of an account are found by indexes. ` +
    '`POST /admin/v1/messages/search` finds those of a recipient.',
  access: reads(),
  client: 'own',
  searches: true,
  action: 'message find',
  query: {
    ...pageQuery,
    account: Type.Optional(clientId),
    ref: Type.Optional(text("The client's reference, whole", { minLength: 1, maxLength: 200 })),
    ...criteria,
  },
  data: Searched,
  run: async ({ query: { account, ref, limit, cursor, ...given } }, context) => {
    const { database } = context
    const accountId = account === undefined ? undefined : await requireAccountId(database, account)
    const filter = { accountId, ref, ...readCriteria(given) }
    return readPage(database, filter, { cursor, limit, ...audienceOf(context) })
  },
})

/** A phone number in a URL would be in the logs of every proxy. */
const searchRecipient = defineOperation({
  id: 'searchRecipient',
  method: 'post',
  path: '/admin/v1/messages/search',
  tag: 'Messages',
  summary:
    'Search the messages of an account to a recipient, newest first; recorded with the last digits of the number',
  description: aboutPages,
  access: looks('reveal', 'required'),
  client: 'own',
  action: 'message find',
  command: {
    arguments: ['account', 'recipient'],
    examples: ['shop-1 01012345678 --reason "asked by the recipient"'],
    columns: ['acceptedAt', 'msgKey', 'state', 'code', 'codeText', 'ref'],
  },
  body: {
    ...pageQuery,
    account: clientId,
    recipient: text('Recipient as it was sent to', { pattern: '^\\+?[0-9]{3,20}$' }),
    ...criteria,
  },
  data: Searched,
  run: async ({ body: { account, recipient, limit, cursor, ...given } }, context) => {
    const { database, audit } = context
    const accountId = await requireAccountId(database, account)
    const filter = { accountId, recipient, ...readCriteria(given) }
    await audit.look({ target: maskNumber(recipient), account })
    return readPage(database, filter, { cursor, limit, ...audienceOf(context) })
  },
})

interface Criteria {
  readonly code?: string
  readonly state?: 'open' | 'closed'
  readonly from?: string
  readonly until?: string
}

function readCriteria({ code, state, from, until }: Criteria): MessageFilter {
  return {
    code,
    state,
    fromKey: from === undefined ? firstKey : keyAt('from', from),
    beforeKey: until === undefined ? afterEveryKey : keyAt('until', until),
  }
}

interface Audience {
  readonly isClient: boolean
  readonly format: CursorFormat
}

interface PageRequest extends Audience {
  readonly cursor: string | undefined
  readonly limit: number
}

/** For a client nothing may say where messages of other accounts are. */
function audienceOf({ signed, services }: Pick<RequestContext, 'signed' | 'services'>): Audience {
  const { account } = signed
  if (account === null) return { isClient: false, format: plainFormat }
  return { isClient: true, format: sealFor(account.id, services.config.tokenSecret) }
}

async function readPage(
  database: Database,
  filter: MessageFilter,
  { cursor, limit, isClient, format }: PageRequest,
): Promise<Static<typeof Searched>> {
  const beforeKey = readCursor(KeyCursor, cursor, format)?.[1] ?? filter.beforeKey
  const { items, next } = await searchMessages(database, { ...filter, beforeKey }, limit)
  // The position may be a day only.
  const time = next === null ? null : isoTimeOfKey(next.padEnd(17, '0'))
  return {
    items: items.map(showFound),
    next: next === null ? null : writeCursor(['key', next], format),
    // Rounded for a client: how the exact time moves from page to page would tell how many messages other accounts have.
    searchedUntil: isClient && time !== null ? hourAfter(time) : time,
  }
}

function showFound({ clientId: account, recipient, open, ...row }: FoundRow) {
  return {
    ...{ msgKey: row.msgKey, account, recipient: maskNumber(recipient), ref: row.ref },
    ...{ acceptedAt: row.acceptedAt, state: open ? ('open' as const) : ('closed' as const) },
    ...{ code: row.code, codeText: row.codeText },
  }
}

/** Rounded up: whatever was accepted from then on was searched. A key may begin with digits that are no time. */
function hourAfter(text: string): string | null {
  const at = Date.parse(text)
  if (Number.isNaN(at)) return null
  const now = clock.now()
  const hour = roundUp(at, 3_600_000)
  // Within the present hour it would be in the future, where only scheduled messages are.
  return new Date(at <= now ? Math.min(hour, roundUp(now, 60_000)) : hour).toISOString()
}

function roundUp(ms: number, unit: number): number {
  return Math.ceil(ms / unit) * unit
}

export const messageOperations = [
  search,
  searchRecipient,
  showOperation,
  explainOperation,
  ...messageActOperations,
]
