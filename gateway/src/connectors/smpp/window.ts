/**
 * The submissions a session has sent and not yet seen answered. Every one of them is settled exactly once: by
 * its response, by its timeout, or by the end of the session; that is the whole purpose of this file.
 *
 * All wait equally long, so the oldest is always first and one timer serves them all.
 */
import { lastSequence } from './pdu.ts'

export type Answer =
  | { readonly kind: 'response'; readonly commandStatus: number; readonly messageId: string }
  | { readonly kind: 'timeout' }
  /** `written` is false when it surely never left this process. */
  | { readonly kind: 'lost'; readonly written: boolean; readonly reason: string }

export type Settle = (answer: Answer) => void

interface Waiting {
  readonly settle: Settle
  readonly since: number
  /** Where its last octet lies in the session's outgoing stream. */
  readonly position: number
}

/** While the clock stands still the timer would otherwise spin. */
const minTimerMs = 5

export class Window {
  readonly #waiting = new Map<number, Waiting>()
  readonly #timeoutMs: number
  readonly #clock: () => number
  #sequence: number
  #timer: NodeJS.Timeout | null = null

  /** The clock counts milliseconds. `sequence` is the number before the first. */
  constructor(timeoutMs: number, clock: () => number, sequence = 0) {
    this.#timeoutMs = timeoutMs
    this.#clock = clock
    this.#sequence = sequence
  }

  get size(): number {
    return this.#waiting.size
  }

  /** Counts through the numbers of the specification and leaves out those that something waits under. */
  nextSequence(): number {
    do this.#sequence = this.#sequence >= lastSequence ? 1 : this.#sequence + 1
    while (this.#waiting.has(this.#sequence))
    return this.#sequence
  }

  add(sequence: number, position: number, settle: Settle): void {
    this.#waiting.set(sequence, { settle, since: this.#clock(), position })
    if (this.#timer === null) this.#arm(this.#timeoutMs)
  }

  /** False when nothing waits under this number: the response is late, or answers no question of ours. */
  answer(sequence: number, answer: Answer): boolean {
    const waiting = this.#waiting.get(sequence)
    if (waiting === undefined) return false
    this.#waiting.delete(sequence)
    waiting.settle(answer)
    return true
  }

  /** Settles everything that is left; octets up to `handedOver` may have reached the carrier. */
  lose(handedOver: number, reason: string): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const left = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { settle, position } of left) settle({ kind: 'lost', written: position <= handedOver, reason })
  }

  #arm(delayMs: number): void {
    // The expiry runs one turn after the timer: if this process itself stood still, the answers lie unread in
    // the socket and deserve to be read first.
    this.#timer = setTimeout(() => {
      setImmediate(() => this.#expire())
    }, delayMs)
  }

  // The timer counts as armed until the end: a submission added while settling must not arm a second one.
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
