/** GET /admin/v1/messages and GET /admin/v1/messages/{msgKey}. */
import { Type } from 'typebox'
import { requireAccountId } from '../../acts/accounts.ts'
import { requireMsgKey, showMessage } from '../../acts/messages.ts'
import { maskNumber } from '../../channels/numbers.ts'
import { timeDigits } from '../../contract/msg-key.ts'
import type { Database } from '../../platform/database.ts'
import {
  readFound,
  searchPiece,
  searchReports,
  type FoundRow,
  type MessageFilter,
} from '../../records/messages/search.ts'
import type { TimelineRows } from '../../records/timeline/rows.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import {
  clientId,
  flag,
  list,
  nullable,
  oneOf,
  page,
  pageQuery,
  record,
  text,
  time,
  whole,
} from '../fields.ts'
import { defineOperation, looks, type AdminOperation } from '../operation.ts'
import { AdminProblem } from '../problem.ts'

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
)

/** A page of a search ends when it is full, or after this long: the cursor goes on from there. */
const budgetMs = 150

const searchQuery = {
  ...pageQuery,
  account: Type.Optional(clientId),
  ref: Type.Optional(text("The client's reference, whole", { minLength: 1, maxLength: 200 })),
  recipient: Type.Optional(
    text(
      'Recipient as it was sent to, with `account`; needs the right _reveal_ and a reason, and is recorded',
      {
        pattern: '^\\+?[0-9]{3,20}$',
      },
    ),
  ),
  code: Type.Optional(text('A report code of one of its steps', { minLength: 1, maxLength: 20 })),
  state: Type.Optional(oneOf(['open', 'closed'], 'Only open, or only closed messages')),
  from: Type.Optional(text('Accepted at or after this time', { format: 'date-time', maxLength: 40 })),
  until: Type.Optional(text('Accepted before this time', { format: 'date-time', maxLength: 40 })),
}

interface Searched {
  readonly keys: string[]
  readonly next: string | null
}

const KeyCursor = Type.Tuple([Type.Literal('key'), Type.String({ maxLength: 32 })])
const SeqCursor = Type.Tuple([Type.Literal('seq'), Type.Integer({ minimum: 0 })])

const search = defineOperation({
  id: 'searchMessages',
  method: 'get',
  path: '/admin/v1/messages',
  tag: 'Messages',
  summary: 'Search messages, newest first',
  description:
    'A page may have fewer messages than `limit`, or none, and still a `next`: the search is made in bounded pieces, and `searchedUntil` ' +
    'says how far it has come. Closed messages of an account (`account` and `state=closed`) are found by an index, in the order of their reports; ' +
    'otherwise give `from` and `until`.',
  access: looks(),
  action: 'message find',
  query: searchQuery,
  data: record(
    {
      ...page(Found, 'Messages').properties,
      searchedUntil: nullable(time('Messages accepted at or after this time were searched; null: all')),
    },
    'A page of the search',
  ),
  run: async ({ query }, { database, audit }) => {
    const { account, recipient, limit } = query
    if (recipient !== undefined && account === undefined)
      throw new AdminProblem(
        'invalid-request',
        "'recipient' needs 'account': messages are found by account and number",
      )
    const accountId = account === undefined ? undefined : await requireAccountId(database, account)
    if (recipient !== undefined) await audit.look({ target: maskNumber(recipient), account: account ?? null })
    const { ref, code, state } = query
    const filter: MessageFilter = {
      ...{ accountId, ref, recipient, code, state },
      fromKey: query.from === undefined ? '' : keyAt('from', query.from),
      beforeKey: query.until === undefined ? '~' : keyAt('until', query.until),
    }
    const byReports = accountId !== undefined && state === 'closed' && recipient === undefined
    const found = byReports
      ? await searchByReports(database, { ...filter, accountId }, query.cursor, limit)
      : await searchByKeys(database, filter, query.cursor, limit)
    const rows = await readFound(database, found.keys)
    const last = found.next === null || byReports ? null : readCursor(KeyCursor, found.next)![1]
    return {
      items: rows.map(showFound),
      next: found.next,
      searchedUntil: last === null ? null : timeOfKey(last),
    }
  },
})

/** In pieces, until the page is full or has taken its time. */
async function searchByKeys(
  database: Database,
  filter: MessageFilter,
  cursor: string | undefined,
  limit: number,
): Promise<Searched> {
  const began = performance.now()
  let beforeKey: string | null = readCursor(KeyCursor, cursor)?.[1] ?? filter.beforeKey
  const keys: string[] = []
  while (beforeKey !== null && keys.length < limit && performance.now() - began < budgetMs) {
    const piece = await searchPiece(database, { ...filter, beforeKey }, limit - keys.length)
    keys.push(...piece.keys)
    beforeKey = piece.next
  }
  return { keys, next: beforeKey === null ? null : writeCursor(['key', beforeKey]) }
}

async function searchByReports(
  database: Database,
  filter: MessageFilter & { readonly accountId: number },
  cursor: string | undefined,
  limit: number,
): Promise<Searched> {
  const began = performance.now()
  let beforeSeq = readCursor(SeqCursor, cursor)?.[1] ?? null
  const keys = new Set<string>()
  do {
    const piece = await searchReports(database, filter, beforeSeq, limit - keys.size)
    for (const key of piece.keys) keys.add(key)
    beforeSeq = piece.nextSeq
  } while (beforeSeq !== null && keys.size < limit && performance.now() - began < budgetMs)
  return { keys: [...keys], next: beforeSeq === null ? null : writeCursor(['seq', beforeSeq]) }
}

function showFound({ clientId: account, recipient, open, ...row }: FoundRow) {
  return {
    ...{ msgKey: row.msgKey, account, recipient: maskNumber(recipient), ref: row.ref },
    ...{ acceptedAt: row.acceptedAt, state: open ? ('open' as const) : ('closed' as const) },
    ...{ code: row.code, codeText: row.codeText },
  }
}

function keyAt(name: string, given: string): string {
  const at = new Date(given)
  if (Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9999 || at.getUTCFullYear() < 1970)
    throw new AdminProblem('invalid-request', `'${name}' must be a time such as 2026-11-16T09:00:00Z`)
  return timeDigits(at)
}

/** The time that a key begins with; null when it does not begin with one. */
function timeOfKey(key: string): string | null {
  const [, year, month, day, hour, minute, second, ms] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})/.exec(key) ?? []
  return year === undefined ? null : `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`
}

const Event = record(
  {
    at: time('When it happened'),
    kind: oneOf(
      [
        'accepted',
        'held',
        'routed',
        'submitted',
        'receipt',
        'deadline',
        'ended',
        'fallback',
        'parked',
        'open',
        'closed',
      ],
      'What happened',
    ),
    step: nullable(whole('The step of the flow that it belongs to')),
    text: text('The same in words, with what it means and what to do'),
    details: Type.Record(
      Type.String(),
      Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
      { description: 'The facts of the text; they depend on the kind' },
    ),
  },
  'An event of a message',
)

const Attempt = record(
  {
    step: whole('Step of the flow'),
    try: whole('Try of the step'),
    part: whole('Part of the text; 0: all at once'),
    parts: whole('Number of parts'),
    route: text('Id of the route, or of a share of it'),
    routeReason: nullable(text('Why this route was chosen')),
    heldReason: nullable(text('Why it waited before')),
    heldMs: nullable(whole('How long it waited, in milliseconds')),
    submittedAt: time('When it was submitted'),
    outcome: oneOf(['accepted', 'refused', 'unknown'], "The carrier's answer"),
    outcomeCode: nullable(text("Code of the carrier's answer")),
    carrierId: nullable(text("The carrier's id")),
    result: nullable(oneOf(['delivered', 'failed'], 'What the receipt says; null without one')),
    cause: nullable(text('Cause of a failure')),
    receiptCode: nullable(text("The receipt's code")),
    resultAt: nullable(time("When it was delivered or failed, by the carrier's clock")),
    receivedAt: nullable(time('When the receipt arrived')),
    receipts: whole('How many receipts arrived'),
    late: flag('The receipt came after the end of the step'),
    deliveredTwice: flag('The recipient received another step or try as well'),
  },
  'A submission to a carrier, with its receipt',
)

const show = defineOperation({
  id: 'showMessage',
  method: 'get',
  path: '/admin/v1/messages/{msgKey}',
  tag: 'Messages',
  summary: 'Show what became of a message',
  description:
    'Its timeline in words, and each attempt with its receipt. The text of the message is never shown.',
  access: looks(),
  action: 'message show',
  params: { msgKey: text('Key of the message', { minLength: 1, maxLength: 100 }) },
  query: {
    reveal: Type.Optional(
      flag('true: show whole phone numbers; needs the right _reveal_ and a reason, and is recorded'),
    ),
  },
  data: record(
    {
      msgKey: text('Key of the message'),
      account: nullable(text('Client id of its account')),
      recipient: nullable(text('Recipient: its last digits, unless it is revealed')),
      acceptedAt: nullable(time('When it was accepted')),
      channels: list(text('A channel'), 'Channels of its steps, in their order'),
      state: oneOf(['open', 'closed', 'parked'], 'parked: it was never recorded'),
      events: list(Event, 'What happened, in order'),
      attempts: list(Attempt, 'Submissions, in order'),
    },
    'A message',
  ),
  run: async ({ params: { msgKey }, query: { reveal = false } }, { database, audit, services }) => {
    requireMsgKey(msgKey)
    const { rows, events } = await showMessage(database, audit, services.config, msgKey, reveal)
    const { message, attempts } = rows
    return {
      msgKey: rows.msgKey,
      account: message?.clientId ?? null,
      recipient: message === null ? null : reveal ? message.recipient : maskNumber(message.recipient),
      acceptedAt: message?.acceptedAt ?? null,
      channels: [...(message?.channels ?? [])],
      state: stateOf(rows),
      events: [...events],
      attempts: attempts.map(({ routeId: route, ...attempt }) => ({ ...attempt, route })),
    }
  },
})

function stateOf({ message, open }: TimelineRows): 'open' | 'closed' | 'parked' {
  if (message === null) return 'parked'
  return open === null ? 'closed' : 'open'
}

export const messageOperations: readonly AdminOperation[] = [search, show]
