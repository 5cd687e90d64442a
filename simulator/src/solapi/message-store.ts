/** Messages that `GET /messages/v4/list` returns, in order of creation. Bounded. */
import type { Fields } from '../shared/json-body.ts'
import { evictOldest } from '../shared/evict-oldest.ts'
import { solapiCodes } from './codes.ts'
import type { SolapiCode } from './codes.ts'

const MAX_MESSAGES = 100_000
const DEFAULT_LIMIT = 20
const filters = ['messageId', 'groupId', 'to', 'from', 'type', 'statusCode'] as const

export interface StoredMessage {
  readonly messageId: string
  readonly groupId: string
  readonly to: string
  readonly from: string
  readonly type: string
  readonly country: string
  readonly text: string
  readonly customFields: unknown
  readonly dateCreated: string
  readonly dateUpdated: string
  readonly dateReported: string | null
  readonly statusCode: SolapiCode
  readonly reason: string
  readonly status: 'PENDING' | 'COMPLETE'
  /** Whether a text message replaced the Kakao message. */
  readonly replacement: boolean
}

export class MessageStore {
  readonly #messages = new Map<string, StoredMessage>()

  add(message: StoredMessage): void {
    evictOldest(this.#messages, MAX_MESSAGES)
    this.#messages.set(message.messageId, message)
  }

  clear(): void {
    this.#messages.clear()
  }

  /** Returns undefined if a date or the limit is invalid. */
  list(query: URLSearchParams): Fields | undefined {
    const limit = Number(query.get('limit') ?? DEFAULT_LIMIT)
    const startKey = query.get('startKey')
    const from = Date.parse(query.get('startDate') ?? '1970-01-01')
    const to = Date.parse(query.get('endDate') ?? '9999-01-01')
    if (Number.isNaN(from + to) || !(limit > 0)) return undefined
    const date = query.get('dateType') === 'UPDATED' ? 'dateUpdated' : 'dateCreated'
    const ids = query.getAll('messageIds')
    const found = [...this.#messages.values()].filter((message) => {
      const at = Date.parse(message[date])
      if (at < from || at > to || (ids.length > 0 && !ids.includes(message.messageId))) return false
      return filters.every((name) => (query.get(name) ?? message[name]) === message[name])
    })
    const first = startKey === null ? 0 : found.findIndex(({ messageId }) => messageId === startKey)
    const page = first < 0 ? [] : found.slice(first, first + limit)
    return {
      startKey,
      nextKey: (first < 0 ? undefined : found[first + limit]?.messageId) ?? null,
      limit,
      messageList: Object.fromEntries(page.map((message) => [message.messageId, message])),
    }
  }
}

/** Returns the fields changed by a new status. Only a final code completes the message. */
export function statusChange(code: SolapiCode, at: Date): Partial<StoredMessage> {
  const change = { statusCode: code, reason: solapiCodes[code], dateUpdated: at.toISOString() }
  return code === '3000' ? change : { ...change, status: 'COMPLETE', dateReported: at.toISOString() }
}
