/**
 * Accepted messages of a provider whose results are looked up. Lookups compare `completesAt` with the clock,
 * so no timer is needed. Bounded: the oldest messages are dropped.
 */
import { evictOldest } from './evict-oldest.ts'

export interface SentMessage {
  readonly id: string
  readonly requestId: string
  readonly createdAt: number
  /** Infinity if the message never completes. */
  readonly completesAt: number
}

const MAX_MESSAGES = 100_000

export class SentMessages<Message extends SentMessage> {
  readonly #messages = new Map<string, Message>()

  add(message: Message): void {
    evictOldest(this.#messages, MAX_MESSAGES)
    this.#messages.set(message.id, message)
  }

  get(id: string): Message | undefined {
    return this.#messages.get(id)
  }

  list(matches: (message: Message) => boolean): Message[] {
    return [...this.#messages.values()].filter(matches)
  }

  clear(): void {
    this.#messages.clear()
  }
}

export function isComplete({ completesAt }: SentMessage): boolean {
  return completesAt <= Date.now()
}

/**
 * Returns whether a time is in the inclusive range, in whole seconds, the resolution of the times that
 * clients send.
 */
export function isWithin(time: number, from: number, to: number): boolean {
  const second = Math.floor(time / 1000) * 1000
  return second >= from && second <= to
}
