/**
 * Operations that search messages. `messageOperations` also has the operations on one message, which timeline.ts,
 * routes.ts and changes.ts define.
 */
import { Type, type Static } from 'typebox'
import { requireAccountId } from '../find-account.ts'
import { maskNumber } from '../../channels/numbers.ts'
import { formatKeyTime } from '../../contract/msg-key.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { sealFor, type CursorFormat } from '../../platform/encryption/sealed-cursor.ts'
import {
  maxKey,
  firstKey,
  searchMessages,
  type FoundMessage,
  type MessageFilter,
} from '../../records/messages/search.ts'
import { plainFormat, readCursor, writeCursor } from '../cursor.ts'
import { clientId, nullable, oneOf, page, pageQuery, record, text, time } from '../fields.ts'
import { toKeyPrefix } from '../key-prefix.ts'
import { defineOperation, personalDataAccess, readAccess, type RequestContext } from '../operation.ts'
import { messageChangeOperations } from './changes.ts'
import { explainOperation } from './routes.ts'
import { showOperation } from './timeline.ts'

const FoundMessageItem = record(
  {
    msgKey: text('Key of the message'),
    account: nullable(text('Client ID of its account; null if the account no longer exists')),
    recipient: text('Recipient, only the last digits'),
    ref: nullable(text("The client's reference")),
    acceptedAt: time('Time of acceptance'),
    state: oneOf(['open', 'closed'], 'closed: all steps are final'),
    code: nullable(text('Report code of its last step; null while the message is open')),
    codeText: nullable(text('Meaning of the code')),
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

const FoundMessagePage = record(
  {
    ...page(FoundMessageItem, 'Messages').properties,
    searchedUntil: nullable(
      time(
        'Messages accepted at or after this time were searched; null means all. Rounded to the hour for clients',
      ),
    ),
  },
  'A page of the search',
  { title: 'FoundMessagePage' },
)

const aboutPages =
  'The time per page is limited, so a page can have fewer messages than `limit`, or none, and still a `next`; `searchedUntil` is how far ' +
  'the search has progressed.'

const search = defineOperation({
  id: 'searchMessages',
  method: 'get',
  path: '/admin/v1/messages',
  tag: 'Messages',
  summary: 'Search messages, newest first',
  description:
    `${aboutPages} Searches by ref, code or account use indexes. ` +
    '`POST /admin/v1/messages/search` searches by recipient.',
  access: readAccess(),
  client: 'own',
  searches: true,
  action: 'message find',
  query: {
    ...pageQuery,
    account: Type.Optional(clientId),
    ref: Type.Optional(text("The client's reference, exact match", { minLength: 1, maxLength: 200 })),
    ...criteria,
  },
  data: FoundMessagePage,
  run: async ({ query: { account, ref, limit, cursor, ...given } }, context) => {
    const { database } = context
    const accountId = account === undefined ? undefined : await requireAccountId(database, account)
    const filter = { accountId, ref, ...readCriteria(given) }
    return readPage(database, filter, { cursor, limit, ...toAudience(context) })
  },
})

/** Uses POST, because a phone number in a URL would appear in the logs of every proxy. */
const searchRecipient = defineOperation({
  id: 'searchRecipient',
  method: 'post',
  path: '/admin/v1/messages/search',
  tag: 'Messages',
  summary:
    'Search the messages of an account to a recipient, newest first; the search is recorded with the last digits of the number',
  description: `${aboutPages} The command line reads all pages.`,
  access: personalDataAccess('reveal', 'required'),
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
    recipient: text('Recipient, such as 01012345678', { pattern: '^\\+?[0-9]{3,20}$' }),
    ...criteria,
  },
  data: FoundMessagePage,
  run: async ({ body: { account, recipient, limit, cursor, ...given } }, context) => {
    const { database, audit } = context
    const accountId = await requireAccountId(database, account)
    const filter = { accountId, recipient, ...readCriteria(given) }
    await audit.recordAccess({ target: maskNumber(recipient), account })
    return readPage(database, filter, { cursor, limit, ...toAudience(context) })
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
    fromKey: from === undefined ? firstKey : toKeyPrefix('from', from),
    beforeKey: until === undefined ? maxKey : toKeyPrefix('until', until),
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

/** Returns who reads the results. A client must not learn when other accounts sent messages. */
function toAudience({ signed, services }: Pick<RequestContext, 'signed' | 'services'>): Audience {
  const { account } = signed
  if (account === null) return { isClient: false, format: plainFormat }
  return { isClient: true, format: sealFor(account.id, services.config.tokenSecret) }
}

async function readPage(
  database: Database,
  filter: MessageFilter,
  { cursor, limit, isClient, format }: PageRequest,
): Promise<Static<typeof FoundMessagePage>> {
  const beforeKey = readCursor(KeyCursor, cursor, format)?.[1] ?? filter.beforeKey
  const { items, next } = await searchMessages(database, { ...filter, beforeKey }, limit)
  // After a day without matches, `next` is only the digits of the day: pad it to a time.
  const searchedFrom = next === null ? null : formatKeyTime(next.padEnd(17, '0'))
  return {
    items: items.map(toFoundMessageItem),
    next: next === null ? null : writeCursor(['key', next], format),
    // Rounded for clients: the progress from page to page would reveal how many messages other accounts have.
    searchedUntil: isClient && searchedFrom !== null ? hourAfter(searchedFrom) : searchedFrom,
  }
}

function toFoundMessageItem({ clientId: account, recipient, open, ...row }: FoundMessage) {
  return {
    msgKey: row.msgKey,
    account,
    recipient: maskNumber(recipient),
    ref: row.ref,
    acceptedAt: row.acceptedAt,
    state: open ? ('open' as const) : ('closed' as const),
    code: row.code,
    codeText: row.codeText,
  }
}

/**
 * Rounds the time up to the hour, or within the current hour to at most the next minute, so that everything accepted
 * since then has been searched. Returns null if the text is not a valid time.
 */
function hourAfter(text: string): string | null {
  const at = Date.parse(text)
  if (Number.isNaN(at)) return null
  const now = clock.now()
  const hour = roundUp(at, 3_600_000)
  // Within the current hour the result would be in the future, where only scheduled messages are.
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
  ...messageChangeOperations,
]
