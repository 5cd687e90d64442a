/**
 * The open submissions and queries of a session: sent and not answered yet. Each is settled exactly once, by its response, by its
 * timeout or by the end of the session.
 *
 * All have the same timeout, so the oldest always expires first and one timer is enough.
 */
import { lastSequence } from './pdu.ts'

export interface MessageState {
  readonly finalDate: string
  readonly messageState: number
  readonly errorCode: number
}

export type Answer =
  | {
      readonly kind: 'response'
      readonly commandStatus: number
      readonly messageId: string
      /** 0 to 100, where the carrier says how loaded it is. */
      readonly congestion?: number | undefined
      /** The state of the message in a query_sm_resp. */
      readonly state?: MessageState
    }
  | { readonly kind: 'timeout' }
  /** `written` is false when it was certainly never sent. */
  | { readonly kind: 'lost'; readonly written: boolean; readonly reason: string }

export type Settle = (answer: Answer) => void

interface Waiting {
  readonly settle: Settle
  readonly since: number
  /** The position of its last octet in the outgoing stream of the session. */
  readonly position: number
}

/** Keeps the timer from spinning while the clock is stopped. */
const minTimerMs = 5

export class Window {
  readonly #waiting = new Map<number, Waiting>()
  readonly #timeoutMs: number
  readonly #clock: () => number
  #sequence: number
  #timer: NodeJS.Timeout | null = null

  /** The clock counts milliseconds. `sequence` is the number before the first one used. */
  constructor(timeoutMs: number, clock: () => number, sequence = 0) {
    this.#timeoutMs = timeoutMs
    this.#clock = clock
    this.#sequence = sequence
  }

  get size(): number {
    return this.#waiting.size
  }

  /** The next sequence number; wraps around at the limit of the specification and skips numbers in use. */
  nextSequence(): number {
    do this.#sequence = this.#sequence >= lastSequence ? 1 : this.#sequence + 1
    while (this.#waiting.has(this.#sequence))
    return this.#sequence
  }

  add(sequence: number, position: number, settle: Settle): void {
    this.#waiting.set(sequence, { settle, since: this.#clock(), position })
    if (this.#timer === null) this.#arm(this.#timeoutMs)
  }

  /** False when no submission has this number: the response is late, or not ours. */
  answer(sequence: number, answer: Answer): boolean {
    const waiting = this.#waiting.get(sequence)
    if (waiting === undefined) return false
    this.#waiting.delete(sequence)
    waiting.settle(answer)
    return true
  }

  /** Settles all open submissions as lost; octets up to `writtenBytes` may have reached the carrier. */
  lose(writtenBytes: number, reason: string): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const left = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { settle, position } of left)
      settle({ kind: 'lost', written: position <= writtenBytes, reason })
  }

  #arm(delayMs: number): void {
    // The expiry runs one event loop turn after the timer: if this process was blocked, the responses may already be in
    // the socket and are read first.
    this.#timer = setTimeout(() => {
      setImmediate(() => this.#expire())
    }, delayMs)
  }

  // The timer counts as armed until the end, so that a submission added while settling does not arm a second one.
  #expire(): void {
    const now = this.#clock()
    for (const [sequence, waiting] of this.#waiting) {
      const left = waiting.since + this.#timeoutMs - now
      if (left > 0) return this.#arm(Math.max(left, minTimerMs))
      this.#waiting.delete(sequence)
      waiting.settle({ kind: 'timeout' })
    }
    this.#timer = null
  }
}
