/**
 * The accepted messages that query_sm and cancel_sm find, by the id of the submit response. The number is bounded: the oldest
 * are forgotten.
 */
import type { StateWord } from '../smpp/protocol.ts'
import type { MessageQuery } from '../smpp/read.ts'

export interface KnownMessage {
  readonly from: string
  /** The final state, which the message has from `finalAt` on. */
  readonly state: StateWord
  readonly error: string
  readonly finalAt: number
  cancelled: boolean
}

export class KnownMessages {
  readonly #limit: number
  readonly #byId = new Map<string, KnownMessage>()

  constructor(limit: number) {
    this.#limit = limit
  }

  add(id: string, message: KnownMessage): void {
    this.#byId.set(id, message)
    if (this.#byId.size <= this.#limit) return
    for (const oldest of this.#byId.keys()) {
      this.#byId.delete(oldest)
      return
    }
  }

  /** Finds a message whose id and sender match. */
  find({ messageId, from }: MessageQuery): KnownMessage | undefined {
    const message = this.#byId.get(messageId)
    return message?.from === from.digits ? message : undefined
  }

  clear(): void {
    this.#byId.clear()
  }
}

/** The state of a message now, as a query reports it. */
export function currentState({ state, finalAt, cancelled }: KnownMessage, now: number): StateWord {
  if (cancelled) return 'DELETED'
  return now >= finalAt ? state : 'ENROUTE'
}

/** False if the message has its final state. */
export function cancel(message: KnownMessage, now: number): boolean {
  if (message.cancelled || now >= message.finalAt) return false
  message.cancelled = true
  return true
}
