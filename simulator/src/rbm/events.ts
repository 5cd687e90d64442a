/** Builds the webhooks of the platform: events and user messages in signed Pub/Sub envelopes. */
import { createHmac } from 'node:crypto'
import type { Fields } from '../shared/json-body.ts'
import { isObject, toObject, toText } from '../shared/json-body.ts'
import type { Webhook } from '../shared/webhook-sender.ts'

export const eventTypes = [
  'DELIVERED',
  'READ',
  'TTL_EXPIRATION_REVOKED',
  'TTL_EXPIRATION_REVOKE_FAILED',
  'UNSUBSCRIBE',
  'SUBSCRIBE',
  'IS_TYPING',
] as const

export const rbmReplyKinds = ['text', 'STOP', 'suggestionResponse', 'userFile', 'location'] as const

export type EventKind = (typeof eventTypes)[number] | (typeof rbmReplyKinds)[number]

export interface EventDetails {
  readonly kind: EventKind
  readonly from: string
  readonly agentId: string
  /** Id of the event or user message. */
  readonly id: string
  /** Id of the message that the event refers to. */
  readonly messageId: string | undefined
  /** First suggestion of that message. */
  readonly suggestion: Fields | undefined
}

const aboutMessage: ReadonlySet<EventKind> = new Set([
  'DELIVERED',
  'READ',
  'TTL_EXPIRATION_REVOKED',
  'TTL_EXPIRATION_REVOKE_FAILED',
])

function buildContent({ kind, suggestion }: EventDetails): Fields {
  switch (kind) {
    case 'STOP':
      return { text: 'STOP' }
    case 'suggestionResponse': {
      const { text, postbackData } = suggestion ?? {}
      const type = isObject(suggestion?.['reply']) ? 'REPLY' : 'ACTION'
      return { suggestionResponse: { postbackData: toText(postbackData), text: toText(text), type } }
    }
    case 'userFile':
      return {
        userFile: {
          payload: {
            mimeType: 'image/jpeg',
            fileSizeBytes: 326_130,
            fileName: 'a.jpg',
            fileUri: 'https://media.example/a.jpg',
          },
        },
      }
    case 'location':
      return { location: { latitude: 37.5662952, longitude: 126.9779451 } }
    default:
      return { text: 'Hello' }
  }
}

function buildData(details: EventDetails): Fields {
  const { kind, from, agentId, id, messageId } = details
  const rest = { senderPhoneNumber: from, sendTime: new Date().toISOString(), agentId }
  if (rbmReplyKinds.some((known) => known === kind))
    return { ...rest, messageId: id, ...buildContent(details) }
  return { ...rest, eventType: kind, eventId: id, ...(aboutMessage.has(kind) ? { messageId } : {}) }
}

/** The signature is the HMAC-SHA512 of the data before its base64 encoding, with the client token as the key. */
export function buildWebhook(
  url: string,
  details: EventDetails,
  clientToken: string,
  publishId: string,
): Webhook {
  const data = Buffer.from(JSON.stringify(buildData(details)))
  const attributes = {
    message_type: rbmReplyKinds.some((known) => known === details.kind) ? 'TEXT' : 'EVENT',
  }
  const message = { data: data.toString('base64'), attributes, messageId: publishId }
  const signature = createHmac('sha512', clientToken).update(data).digest('base64')
  const headers = { 'content-type': 'application/json', 'x-goog-signature': signature }
  return { url, headers, body: JSON.stringify({ message, subscription: 'projects/rbm/subscriptions/agent' }) }
}

/** Returns the first suggestion of a message or its cards, with the fields of its reply or action added. */
export function firstSuggestion(message: Fields): Fields | undefined {
  const { suggestions, richCard } = toObject(message['contentMessage'])
  const { standaloneCard, carouselCard } = toObject(richCard)
  const contents = toObject(carouselCard)['cardContents']
  const cards: unknown[] = [
    toObject(standaloneCard)['cardContent'],
    ...(Array.isArray(contents) ? (contents as unknown[]) : []),
  ]
  const lists = [suggestions, ...cards.map((card) => toObject(card)['suggestions'])]
  const first = lists.flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))[0]
  if (first === undefined) return undefined
  const { reply, action } = toObject(first)
  return { ...toObject(first), ...toObject(reply ?? action) }
}
