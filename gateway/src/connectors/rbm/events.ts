/**
 * Events and messages of users, as receipts and counted events. DELIVERED and READ mean delivered: READ may come first or
 * alone. A revoked message was not delivered; after a failed revocation it is not known. Pure.
 */
import type { Receipt } from '../connector.ts'
import { isObject, parseObject, textOf, type Fields } from '../json.ts'
import { maxReplyText, numberOf, type Reply } from '../reply.ts'

export interface UserData {
  readonly receipts: readonly Receipt[]
  readonly events: readonly string[]
  readonly replies: readonly UserReply[]
}

/** Of an agent; `inbound.ts` knows its brands. */
export interface UserReply extends Omit<Reply, 'to'> {
  readonly agentId: string
}

type Result = Pick<Receipt, 'result' | 'cause'>

const delivered: Result = { result: 'delivered', cause: 'delivered' }

/** By eventType, of events about a message. */
const results: Readonly<Record<string, Result>> = {
  DELIVERED: delivered,
  READ: delivered,
  TTL_EXPIRATION_REVOKED: { result: 'failed', cause: 'timeout' },
  // It may still be delivered: the deadline of the step decides.
  TTL_EXPIRATION_REVOKE_FAILED: { result: 'pending', cause: 'timeout' },
}

/** By eventType, of events about the user. */
const userEvents: Readonly<Record<string, string>> = {
  // Some phones send the text STOP as well.
  UNSUBSCRIBE: 'opt-out',
  SUBSCRIBE: 'opt-in',
  IS_TYPING: 'typing',
}

const maxIdLength = 64
const choices: Readonly<Record<string, 'opt-out' | 'opt-in'>> = {
  UNSUBSCRIBE: 'opt-out',
  SUBSCRIBE: 'opt-in',
}
const unreadable: UserData = { receipts: [], events: ['malformed-receipt'], replies: [] }

export function readUserData(data: Buffer): UserData {
  const fields = parseObject(data.toString())
  if (fields === null) return unreadable
  const eventType = textOf(fields['eventType'])
  if (eventType === '')
    return { receipts: [], events: [replyEventOf(fields)], replies: repliesOf(fields, replyTextOf(fields)) }
  const result = Object.hasOwn(results, eventType) ? results[eventType] : undefined
  if (result === undefined)
    return {
      receipts: [],
      events: [Object.hasOwn(userEvents, eventType) ? userEvents[eventType]! : 'other'],
      replies: Object.hasOwn(choices, eventType) ? repliesOf(fields, null, choices[eventType]) : [],
    }
  const messageId = textOf(fields['messageId'])
  if (messageId === '' || messageId.length > maxIdLength) return unreadable
  return { receipts: [toReceipt(fields, messageId, eventType, result)], events: [], replies: [] }
}

function toReceipt(fields: Fields, messageId: string, code: string, result: Result): Receipt {
  const at = new Date(textOf(fields['sendTime']).slice(0, maxIdLength))
  return {
    carrierId: messageId,
    ...result,
    code,
    // The id is ours and always recorded. By the number, an event of another system that uses the agent would settle our
    // message to the same recipient.
    recipient: '',
    sender: textOf(fields['agentId']),
    at: Number.isNaN(at.getTime()) ? null : at,
  }
}

/** None without a number, which a reply must have. */
function repliesOf(fields: Fields, text: string | null, choice?: 'opt-out' | 'opt-in'): readonly UserReply[] {
  const from = numberOf(textOf(fields['senderPhoneNumber']))
  const agentId = textOf(fields['agentId'])
  if (from === '') return []
  if (choice !== undefined) return [{ from, agentId, text, choice }]
  const id = textOf(fields['messageId']).slice(0, maxIdLength)
  const at = new Date(textOf(fields['sendTime']).slice(0, maxIdLength))
  return [
    {
      ...{ from, agentId, text },
      ...(id === '' ? {} : { id }),
      ...(Number.isNaN(at.getTime()) ? {} : { at }),
    },
  ]
}

/** A tapped suggestion has its text, too. */
function replyTextOf({ text, suggestionResponse }: Fields): string | null {
  const given = isObject(suggestionResponse) ? suggestionResponse['text'] : text
  return typeof given === 'string' ? given.slice(0, maxReplyText) : null
}

function replyEventOf({ text, userFile, location, suggestionResponse }: Fields): string {
  if (isObject(suggestionResponse)) return 'suggestion'
  return typeof text === 'string' || isObject(userFile) || isObject(location) ? 'reply' : 'other'
}
