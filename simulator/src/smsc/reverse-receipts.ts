/**
 * Holds the receipts of a long message until all its parts have arrived, then releases them in reverse order.
 * Receipts of an incomplete message are released after 5 s.
 */
import type { MessagePart } from './parts.ts'
import type { TimerWheel } from '../shared/timer-wheel.ts'

const INCOMPLETE_MS = 5000

interface Held {
  readonly part: MessagePart
  readonly release: () => void
}

export class ReverseReceipts {
  readonly #wheel: TimerWheel
  readonly #groups = new Map<string, Held[]>()

  constructor(wheel: TimerWheel) {
    this.#wheel = wheel
  }

  hold(message: string, part: MessagePart, release: () => void): void {
    const group = this.#groups.get(message) ?? []
    if (group.length === 0) {
      this.#groups.set(message, group)
      this.#wheel.after(INCOMPLETE_MS, () => this.#release(message, group))
    }
    group.push({ part, release })
    if (new Set(group.map((held) => held.part.sequence)).size === part.total) this.#release(message, group)
  }

  #release(message: string, group: Held[]): void {
    if (this.#groups.get(message) !== group) return
    this.#groups.delete(message)
    group.sort((left, right) => right.part.sequence - left.part.sequence)
    for (const held of group) held.release()
  }

  clear(): void {
    this.#groups.clear()
  }
}
