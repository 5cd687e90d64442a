/**
 * Holds the receipts of a long message until all its parts are there, then lets them go last part first.
 * A message that stays incomplete lets go of what it has after a while, so that nothing is held for ever.
 */
import type { Part } from './parts.ts'
import type { Wheel } from './wheel.ts'

const INCOMPLETE_MS = 5000

interface Held {
  readonly part: Part
  readonly release: () => void
}

export class Reversal {
  readonly #wheel: Wheel
  readonly #groups = new Map<string, Held[]>()

  constructor(wheel: Wheel) {
    this.#wheel = wheel
  }

  hold(message: string, part: Part, release: () => void): void {
    const group = this.#groups.get(message) ?? []
    if (group.length === 0) {
      this.#groups.set(message, group)
      this.#wheel.after(INCOMPLETE_MS, () => this.#letGo(message, group))
    }
    group.push({ part, release })
    if (new Set(group.map((held) => held.part.sequence)).size === part.total) this.#letGo(message, group)
  }

  #letGo(message: string, group: Held[]): void {
    if (this.#groups.get(message) !== group) return
    this.#groups.delete(message)
    group.sort((one, other) => other.part.sequence - one.part.sequence)
    for (const held of group) held.release()
  }

  clear(): void {
    this.#groups.clear()
  }
}
