/** Messages sent over the sandbox, as phones show them. */
import { Type } from 'typebox'
import { requireMsgKey } from '../messages/messages.ts'
import { requireAccountId } from '../find-account.ts'
import { channels } from '../../channels/registry.ts'
import { timeDigits } from '../../contract/msg-key.ts'
import type { Database } from '../../platform/database/database.ts'
import { normalizeRecipient } from '../../platform/recipient.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import { clientId, flag, list, page, pageQuery, record, text, time, whole } from '../fields.ts'
import { defineOperation, readAccess } from '../operation.ts'
import { OperationError, wrongField } from '../errors.ts'
import { findKeys, findSandboxRoutes } from './find.ts'
import { readSandboxMessages, type SandboxMessage } from './read.ts'
import { channel, SandboxMessageSchema, toPreview, showSandboxMessage, state } from './show.ts'
import { showContent } from './show-content.ts'
import { waitForItems } from './wait.ts'

const maxMessages = 50
/** Messages from which the list of phones is derived. */
const maxPhoneMessages = 200
const maxWaitSeconds = 20

export const recipient = text('Number of the phone', { pattern: '^\\+?[0-9]{3,20}$' })
export const msgKey = text('Key of the message', { minLength: 1, maxLength: 100 })

const numbersOperation = defineOperation({
  id: 'listSandboxNumbers',
  method: 'get',
  path: '/admin/v1/sandbox/numbers',
  tag: 'Sandbox',
  enabledBy: 'sandboxPhones',
  summary: 'List the sandbox phones, newest messages first',
  description: `Derived from the newest messages over sandbox routes, at most ${maxPhoneMessages}.`,
  access: readAccess('sandbox'),
  action: 'sandbox list',
  data: record(
    {
      items: list(
        record(
          {
            to: text('Number'),
            messages: whole('Messages to it among these'),
            lastKey: text('Key of the last message'),
            lastAt: time('When the last message was accepted'),
            channel,
            state,
            preview: text('Beginning of the last message; empty if it is not shown'),
          },
          'A phone',
          { title: 'SandboxPhone' },
        ),
        'Phones',
      ),
      routes: whole('Number of sandbox routes; without one there are no messages'),
    },
    'Phones',
  ),
  run: async (_input, { database }) => {
    const routeIds = await findSandboxRoutes(database)
    const { keys } = await findKeys(database, routeIds, { fromKey: '', beforeKey: '~' }, maxPhoneMessages)
    const byNumber = new Map<string, SandboxMessage[]>()
    for (const message of await readSandboxMessages(database, routeIds, keys)) {
      // The number is masked, so the message belongs to no phone that can be opened.
      if (message.isMixed) continue
      const numberMessages = byNumber.get(message.to)
      if (numberMessages === undefined) byNumber.set(message.to, [message])
      else numberMessages.push(message)
    }
    return {
      // The ID of a route's first share is that of the route; the others contain #.
      routes: new Set(routeIds.filter((id) => !id.includes('#'))).size,
      items: [...byNumber].map(([to, messages]) => {
        const [last] = messages
        const { preview, step } = toPreview(last!)
        return {
          to,
          messages: messages.length,
          lastKey: last!.msgKey,
          lastAt: last!.acceptedAt,
          channel: step.channel,
          state: step.state,
          preview,
        }
      }),
    }
  },
})

const KeyCursor = Type.Tuple([Type.Literal('sandbox'), Type.String({ maxLength: 40 })])

const messagesOperation = defineOperation({
  id: 'listSandboxMessages',
  method: 'get',
  path: '/admin/v1/sandbox/messages',
  tag: 'Sandbox',
  enabledBy: 'sandboxPhones',
  summary: 'List messages received by sandbox phones, newest first, or wait for one',
  description:
    'For tests: send a message, then request it with `to` and `wait`; `since` excludes earlier messages. Texts are shown for ' +
    'sandbox routes only. A page can have fewer messages than `limit`, and still a `next`.',
  access: readAccess('sandbox'),
  action: 'sandbox list',
  query: {
    limit: Type.Integer({
      minimum: 1,
      maximum: maxMessages,
      default: 20,
      description: 'Maximum number of messages',
    }),
    cursor: pageQuery.cursor,
    to: Type.Optional(recipient),
    account: Type.Optional(clientId),
    ref: Type.Optional(text("The client's reference, exact match", { minLength: 1, maxLength: 200 })),
    since: Type.Optional(text('Accepted at or after this time', { format: 'date-time', maxLength: 40 })),
    delivered: Type.Optional(flag('Only messages with a step that reached the phone')),
    wait: Type.Integer({
      minimum: 0,
      maximum: maxWaitSeconds,
      default: 0,
      description:
        'Seconds to wait for a message if there is none; without `since`, for one accepted from one minute before the request',
    }),
  },
  data: page(SandboxMessageSchema, 'Messages'),
  run: async ({ query }, { database, signed, services: { stopping } }) => {
    const { account } = query
    // A missing account is an error, not an empty list.
    if (account !== undefined) await requireAccountId(database, account)
    return waitForItems((newerThan) => search(database, query, newerThan), {
      operator: signed.name,
      seconds: query.wait,
      stopping,
    })
  },
})

interface Query {
  readonly limit: number
  readonly cursor?: string
  readonly to?: string
  readonly account?: string
  readonly ref?: string
  readonly since?: string
  readonly delivered?: boolean
}

/** `newerThan` is the earliest time of acceptance if the request has none. */
async function search(database: Database, query: Query, newerThan?: Date) {
  const { to, account, ref, since, delivered = false, limit, cursor } = query
  const routeIds = await findSandboxRoutes(database)
  const beforeKey = readCursor(KeyCursor, cursor)?.[1] ?? '~'
  const fromKey = since === undefined ? (newerThan === undefined ? '' : timeDigits(newerThan)) : keyAt(since)
  const found = await findKeys(database, routeIds, { to, fromKey, beforeKey }, limit)
  const messages = (await readSandboxMessages(database, routeIds, found.keys)).filter(
    (message) =>
      // A masked number must not reveal whether a person received a message.
      (to === undefined || (!message.isMixed && normalizeRecipient(message.to) === normalizeRecipient(to))) &&
      (account === undefined || message.account === account) &&
      (ref === undefined || message.ref === ref) &&
      (!delivered || message.steps.some((step) => step.state === 'delivered')),
  )
  const next = found.next === null ? null : writeCursor(['sandbox', found.next])
  return { items: messages.map(showSandboxMessage), next }
}

function keyAt(given: string): string {
  const at = new Date(given)
  if (Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9999 || at.getUTCFullYear() < 1970)
    throw wrongField('since', 'must be a time such as 2026-11-16T09:00:00Z')
  return timeDigits(at)
}

const fileOperation = defineOperation({
  id: 'showSandboxFile',
  method: 'get',
  path: '/admin/v1/sandbox/messages/{msgKey}/steps/{step}/files/{file}',
  tag: 'Sandbox',
  enabledBy: 'sandboxPhones',
  summary: 'Show an image of a message sent over the sandbox',
  access: readAccess('sandbox'),
  action: 'sandbox show',
  params: {
    msgKey,
    step: whole('Step of the flow, from 1', { minimum: 1, maximum: 100 }),
    file: whole('`file` of the image in its bubble', { minimum: 0, maximum: 100 }),
  },
  data: record({ contentType: text('Such as image/jpeg'), base64: text('The image') }, 'An image'),
  run: async ({ params }, { database, services: { openFile } }) => {
    const { content } = await requireSandboxStep(database, params.msgKey, params.step)
    const reference = channels[content.channel].files(content)[params.file]?.key
    const found = reference === undefined ? null : await openFile(reference).catch(unavailable)
    if (found === null)
      throw new OperationError('not-found', 'image not found, or removed from the file store')
    return { contentType: found.contentType, base64: found.bytes.toString('base64') }
  },
})

function unavailable(): never {
  throw new OperationError('unavailable', 'the file store or its table is unavailable; retry', {
    retryAfterSeconds: 2,
  })
}

/** Returns a step with its content. Throws unless the message used only the sandbox and is not erased. */
export async function requireSandboxStep(database: Database, key: string, step?: number) {
  requireMsgKey(key)
  const routeIds = await findSandboxRoutes(database)
  const [message] = await readSandboxMessages(database, routeIds, [key])
  const found = message?.steps.findLast((candidate) => step === undefined || candidate.step === step)
  if (message === undefined || found === undefined)
    throw new OperationError(
      'not-found',
      `${step === undefined ? 'message' : `step ${step} of message`} '${key}' not found among the messages sent over sandbox routes; GET /admin/v1/sandbox/messages lists them`,
    )
  const { content } = found
  if (content === null)
    throw new OperationError(
      'refused',
      `a step of message '${key}' used a route outside the sandbox; its content is not shown, and it does not accept replies here`,
    )
  if (showContent(content) === null)
    throw new OperationError(
      'refused',
      `the content of message '${key}' is erased, including sender and recipient`,
    )
  return { message, step: found, content }
}

export const sandboxOperations = [numbersOperation, messagesOperation, fileOperation]
