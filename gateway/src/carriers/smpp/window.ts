/**
 * The open submissions, queries and cancellations of a session: sent, without a response. Each is settled exactly once: by its
 * response, by its timeout or by the end of the session.
 *
 * All have the same timeout, so the oldest always expires first and one timer is enough.
 */
import { lastSequence } from './pdu.ts'

export interface SmppMessageState {
  readonly finalDate: string
  readonly messageState: number
  readonly errorCode: number
}

export type SubmissionResult =
  | {
      readonly kind: 'response'
      readonly commandStatus: number
      readonly messageId: string
      /** Load of the carrier, 0 to 100, if it reports it. */
      readonly congestion?: number | undefined
      /** The state of the message in a query_sm_resp. */
      readonly state?: SmppMessageState
    }
  | { readonly kind: 'timeout' }
  /** `written` is false if it was certainly never sent. */
  | { readonly kind: 'lost'; readonly written: boolean; readonly reason: string }

export type Settle = (result: SubmissionResult) => void

interface OpenSubmission {
  readonly settle: Settle
  readonly since: number
  /** Position of the last octet in the outgoing stream of the session. */
  readonly position: number
}

/** Keeps the timer from spinning while the clock is stopped. */
const minTimerMs = 5

export class Window {
  readonly #waiting = new Map<number, OpenSubmission>()
  readonly #timeoutMs: number
  readonly #clock: () => number
  #sequence: number
  #timer: NodeJS.Timeout | null = null

  /** `clock` returns milliseconds. `sequence` is the number before the first one used. */
  constructor(timeoutMs: number, clock: () => number, sequence = 0) {
    this.#timeoutMs = timeoutMs
    this.#clock = clock
    this.#sequence = sequence
  }

  get size(): number {
    return this.#waiting.size
  }

  /** Returns the next sequence number. Wraps around at the limit of the specification and skips numbers in use. */
  nextSequence(): number {
    do this.#sequence = this.#sequence >= lastSequence ? 1 : this.#sequence + 1
    while (this.#waiting.has(this.#sequence))
    return this.#sequence
  }

  add(sequence: number, position: number, settle: Settle): void {
    this.#waiting.set(sequence, { settle, since: this.#clock(), position })
    if (this.#timer === null) this.#arm(this.#timeoutMs)
  }

  /** Returns false if no submission has this number: the response is late or unrelated. */
  settle(sequence: number, result: SubmissionResult): boolean {
    const open = this.#waiting.get(sequence)
    if (open === undefined) return false
    this.#waiting.delete(sequence)
    open.settle(result)
    return true
  }

  /** Settles all open submissions as lost. Octets up to `writtenBytes` can have reached the carrier. */
  settleLost(writtenBytes: number, reason: string): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const unanswered = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { settle, position } of unanswered)
      settle({ kind: 'lost', written: position <= writtenBytes, reason })
  }

  #arm(delayMs: number): void {
    // Expire one event loop turn after the timer: if this process was blocked, responses that are already in the socket are
    // read first.
    this.#timer = setTimeout(() => {
      setImmediate(() => this.#expire())
    }, delayMs)
  }

  // `#timer` stays set until the end, so that a submission added while settling does not arm a second timer.
  #expire(): void {
    const now = this.#clock()
    for (const [sequence, open] of this.#waiting) {
      const untilTimeoutMs = open.since + this.#timeoutMs - now
      if (untilTimeoutMs > 0) return this.#arm(Math.max(untilTimeoutMs, minTimerMs))
      this.#waiting.delete(sequence)
      open.settle({ kind: 'timeout' })
    }
    this.#timer = null
  }
}
