/**
 * Events and messages of users, as receipts and counted events. DELIVERED and READ mean delivered: READ may come first or
 * alone. A revoked message was not delivered; after a failed revocation it is not known. Pure.
 */
import type { Receipt } from '../connector.ts'
import { isObject, parseObject, textOf, type Fields } from '../json.ts'

export interface UserData {
  readonly receipts: readonly Receipt[]
  readonly events: readonly string[]
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
  // The text STOP that some phones send as well is a reply.
  UNSUBSCRIBE: 'opt-out',
  SUBSCRIBE: 'opt-in',
  IS_TYPING: 'typing',
}

const maxIdLength = 64
const unreadable: UserData = { receipts: [], events: ['malformed-receipt'] }

export function readUserData(data: Buffer): UserData {
  const fields = parseObject(data.toString())
  if (fields === null) return unreadable
  const eventType = textOf(fields['eventType'])
  if (eventType === '') return { receipts: [], events: [replyOf(fields)] }
  const result = Object.hasOwn(results, eventType) ? results[eventType] : undefined
  if (result === undefined)
    return { receipts: [], events: [Object.hasOwn(userEvents, eventType) ? userEvents[eventType]! : 'other'] }
  const messageId = textOf(fields['messageId'])
  if (messageId === '' || messageId.length > maxIdLength) return unreadable
  return { receipts: [toReceipt(fields, messageId, eventType, result)], events: [] }
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

function replyOf({ text, userFile, location, suggestionResponse }: Fields): string {
  if (isObject(suggestionResponse)) return 'suggestion'
  return typeof text === 'string' || isObject(userFile) || isObject(location) ? 'reply' : 'other'
}
