/**
 * What the platform posts to the webhook: events and messages of the user, each in the envelope of Pub/Sub with its
 * signature, and the handshake. Pure but for the clock.
 */
import { createHmac } from 'node:crypto'
import type { Fields } from '../shared/json-body.ts'
import { isObject, objectOf, textOf } from '../shared/json-body.ts'
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

export const replyKinds = ['text', 'STOP', 'suggestionResponse', 'userFile', 'location'] as const

export type EventKind = (typeof eventTypes)[number] | (typeof replyKinds)[number]

export interface Occasion {
  readonly kind: EventKind
  readonly from: string
  readonly agentId: string
  /** Of the event, or of the user's message. */
  readonly id: string
  /** The message that the event is about. */
  readonly messageId: string | undefined
  /** The first suggestion of that message. */
  readonly suggestion: Fields | undefined
}

const aboutMessage: ReadonlySet<EventKind> = new Set([
  'DELIVERED',
  'READ',
  'TTL_EXPIRATION_REVOKED',
  'TTL_EXPIRATION_REVOKE_FAILED',
])

function contentOf({ kind, suggestion }: Occasion): Fields {
  switch (kind) {
    case 'STOP':
      return { text: 'STOP' }
    case 'suggestionResponse': {
      const { text, postbackData } = suggestion ?? {}
      const type = isObject(suggestion?.['reply']) ? 'REPLY' : 'ACTION'
      return { suggestionResponse: { postbackData: textOf(postbackData), text: textOf(text), type } }
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

function dataOf(occasion: Occasion): Fields {
  const { kind, from, agentId, id, messageId } = occasion
  const rest = { senderPhoneNumber: from, sendTime: new Date().toISOString(), agentId }
  if (replyKinds.some((known) => known === kind)) return { ...rest, messageId: id, ...contentOf(occasion) }
  return { ...rest, eventType: kind, eventId: id, ...(aboutMessage.has(kind) ? { messageId } : {}) }
}

/** The signature is the base64 HMAC-SHA512 of the decoded data, with the client token as its key. */
export function webhookOf(url: string, occasion: Occasion, clientToken: string, publishId: string): Webhook {
  const data = Buffer.from(JSON.stringify(dataOf(occasion)))
  const attributes = { message_type: replyKinds.some((known) => known === occasion.kind) ? 'TEXT' : 'EVENT' }
  const message = { data: data.toString('base64'), attributes, messageId: publishId }
  const signature = createHmac('sha512', clientToken).update(data).digest('base64')
  const headers = { 'content-type': 'application/json', 'x-goog-signature': signature }
  return { url, headers, body: JSON.stringify({ message, subscription: 'projects/rbm/subscriptions/agent' }) }
}

export function firstSuggestion(message: Fields): Fields | undefined {
  const { suggestions, richCard } = objectOf(message['contentMessage'])
  const { standaloneCard, carouselCard } = objectOf(richCard)
  const contents = objectOf(carouselCard)['cardContents']
  const cards: unknown[] = [
    objectOf(standaloneCard)['cardContent'],
    ...(Array.isArray(contents) ? (contents as unknown[]) : []),
  ]
  const all = [suggestions, ...cards.map((card) => objectOf(card)['suggestions'])]
  const first = all.flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))[0]
  if (first === undefined) return undefined
  const { reply, action } = objectOf(first)
  return { ...objectOf(first), ...objectOf(reply ?? action) }
}
