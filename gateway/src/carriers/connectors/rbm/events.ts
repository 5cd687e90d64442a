/**
 * Converts events and messages of users to receipts and counted events. DELIVERED and READ mean delivered: READ can arrive first or
 * without DELIVERED. A revoked message was not delivered; after a failed revocation this is not known.
 */
import type { Receipt } from '../connector.ts'
import { isObject, parseObject, readString, type JsonFields } from '../http/json.ts'
import { maxReplyText, normalizeNumber, type Reply } from '../reply.ts'

export interface UserData {
  readonly receipts: readonly Receipt[]
  readonly events: readonly string[]
  readonly replies: readonly UserReply[]
}

/** Reply to an agent; `inbound.ts` maps agents to brands. */
export interface UserReply extends Omit<Reply, 'to'> {
  readonly agentId: string
}

type Result = Pick<Receipt, 'result' | 'cause'>

const delivered: Result = { result: 'delivered', cause: 'delivered' }

/** Results of message events by eventType. */
const results: Readonly<Record<string, Result>> = {
  DELIVERED: delivered,
  READ: delivered,
  TTL_EXPIRATION_REVOKED: { result: 'failed', cause: 'timeout' },
  // The message can still be delivered: the deadline of the step decides.
  TTL_EXPIRATION_REVOKE_FAILED: { result: 'pending', cause: 'timeout' },
}

/** Counted events about users by eventType. */
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
  const eventType = readString(fields['eventType'])
  if (eventType === '')
    return {
      receipts: [],
      events: [classifyReply(fields)],
      replies: toReplies(fields, readReplyText(fields)),
    }
  const result = Object.hasOwn(results, eventType) ? results[eventType] : undefined
  if (result === undefined)
    return {
      receipts: [],
      events: [Object.hasOwn(userEvents, eventType) ? userEvents[eventType]! : 'other'],
      replies: Object.hasOwn(choices, eventType) ? toReplies(fields, null, choices[eventType]) : [],
    }
  const messageId = readString(fields['messageId'])
  if (messageId === '' || messageId.length > maxIdLength) return unreadable
  return { receipts: [toReceipt(fields, messageId, eventType, result)], events: [], replies: [] }
}

function toReceipt(fields: JsonFields, messageId: string, code: string, result: Result): Receipt {
  const at = new Date(readString(fields['sendTime']).slice(0, maxIdLength))
  return {
    carrierId: messageId,
    ...result,
    code,
    // The id is ours and always recorded. Matching by the number could settle our message to the same recipient by an event
    // of another system that uses the agent.
    recipient: '',
    sender: readString(fields['agentId']),
    at: Number.isNaN(at.getTime()) ? null : at,
  }
}

/** Returns no reply without a number, which a reply requires. */
function toReplies(
  fields: JsonFields,
  text: string | null,
  choice?: 'opt-out' | 'opt-in',
): readonly UserReply[] {
  const from = normalizeNumber(readString(fields['senderPhoneNumber']))
  const agentId = readString(fields['agentId'])
  if (from === '') return []
  if (choice !== undefined) return [{ from, agentId, text, choice }]
  const id = readString(fields['messageId']).slice(0, maxIdLength)
  const at = new Date(readString(fields['sendTime']).slice(0, maxIdLength))
  return [
    { from, agentId, text, ...(id === '' ? {} : { id }), ...(Number.isNaN(at.getTime()) ? {} : { at }) },
  ]
}

/** Includes the text of a tapped suggestion. */
function readReplyText({ text, suggestionResponse }: JsonFields): string | null {
  const given = isObject(suggestionResponse) ? suggestionResponse['text'] : text
  return typeof given === 'string' ? given.slice(0, maxReplyText) : null
}

function classifyReply({ text, userFile, location, suggestionResponse }: JsonFields): string {
  if (isObject(suggestionResponse)) return 'suggestion'
  return typeof text === 'string' || isObject(userFile) || isObject(location) ? 'reply' : 'other'
}
