/**
 * Composes webhooks for user messages and keeps their reply ids, which chat messages must contain. A reply id
 * belongs to one user and chatbot and expires. Keeps a bounded number of ids.
 */
import type { Fields } from '../shared/json-body.ts'
import { evictOldest } from '../shared/evict-oldest.ts'
import type { MaapCode } from './codes.ts'
import { maapTime } from './settings.ts'

export const maapReplyKinds = ['text', 'response', 'newUser', 'file', 'location'] as const
export type ReplyKind = (typeof maapReplyKinds)[number]

interface Session {
  readonly userContact: string
  readonly chatbotId: string
  readonly expiresAt: number
}

const MAX_SESSIONS = 10_000

const contents: Readonly<Record<ReplyKind, Fields>> = {
  text: { eventType: 'message', messageBody: { textMessage: '안녕하세요' } },
  response: { eventType: 'response', postbackId: 'postback', postbackData: 'data', displayText: '예' },
  newUser: { eventType: 'newUser' },
  file: {
    eventType: 'message',
    messageBody: {
      fileMessage: {
        fileName: 'a.jpeg',
        fileUrl: 'https://media.example/a.jpeg',
        fileMIMEType: 'image/jpeg',
        fileSize: 326_130,
      },
    },
  },
  location: {
    eventType: 'message',
    messageBody: {
      geolocationPushMessage: {
        label: '시청',
        timestamp: '2026-11-15T09:19:44Z',
        timeOffset: '-540',
        pos: '37.5662952 126.9779451',
        radius: 0,
      },
    },
  },
}

export class MaapReplies {
  readonly #ttlMs: number
  readonly #newId: () => string
  readonly #sessions = new Map<string, Session>()

  constructor(ttlMs: number, newId: () => string) {
    this.#ttlMs = ttlMs
    this.#newId = newId
  }

  /** Returns the webhook body: an array with one element. */
  compose(kind: ReplyKind, userContact: string, chatbotId: string): string {
    evictOldest(this.#sessions, MAX_SESSIONS)
    const replyId = this.#newId()
    this.#sessions.set(replyId, { userContact, chatbotId, expiresAt: Date.now() + this.#ttlMs })
    return JSON.stringify([{ replyId, ...contents[kind], userContact, chatbotId, timestamp: maapTime() }])
  }

  /** Returns the code that refuses this reply id for a chat message, if any. */
  refusal(replyId: string, userContact: string, chatbotId: string): MaapCode | undefined {
    if (replyId === '') return '55884'
    const session = this.#sessions.get(replyId)
    if (session === undefined) return '55883'
    if (session.expiresAt <= Date.now()) return '55714'
    if (session.userContact !== userContact) return '55885'
    return session.chatbotId === chatbotId ? undefined : '55886'
  }

  clear(): void {
    this.#sessions.clear()
  }
}
