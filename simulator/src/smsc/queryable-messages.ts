/**
 * Accepted messages for query_sm and cancel_sm, by the id of the submit response. Bounded: the oldest are
 * dropped.
 */
import { evictOldest } from '../shared/evict-oldest.ts'
import type { StateWord } from '../smpp/protocol.ts'
import type { MessageQuery } from '../smpp/read.ts'

export interface QueryableMessage {
  readonly from: string
  /** Final state, reached at `finalAt`. */
  readonly state: StateWord
  readonly error: string
  readonly finalAt: number
  cancelled: boolean
}

export class QueryableMessages {
  readonly #limit: number
  readonly #byId = new Map<string, QueryableMessage>()

  constructor(limit: number) {
    this.#limit = limit
  }

  add(id: string, message: QueryableMessage): void {
    evictOldest(this.#byId, this.#limit)
    this.#byId.set(id, message)
  }

  /** Finds a message by id and sender. */
  find({ messageId, from }: MessageQuery): QueryableMessage | undefined {
    const message = this.#byId.get(messageId)
    return message?.from === from.digits ? message : undefined
  }

  clear(): void {
    this.#byId.clear()
  }
}

/** Returns the state at time `now`, as a query reports it. */
export function currentState({ state, finalAt, cancelled }: QueryableMessage, now: number): StateWord {
  if (cancelled) return 'DELETED'
  return now >= finalAt ? state : 'ENROUTE'
}

/** Cancels a message. Returns false if it is already in its final state. */
export function cancel(message: QueryableMessage, now: number): boolean {
  if (message.cancelled || now >= message.finalAt) return false
  message.cancelled = true
  return true
}
