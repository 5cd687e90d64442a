/**
 * The pace of one route, in parts per second. A throttle answer pauses the whole route: the carrier meant the
 * link, not the message.
 */
import { setTimeout as delay } from 'node:timers/promises'

// How far the route may run ahead after a pause in traffic.
const burstMs = 100

export class Pace {
  readonly #msPerPart: number
  #nextAt = 0
  #pausedUntil = 0

  constructor(partsPerSecond: number) {
    this.#msPerPart = partsPerSecond === 0 ? 0 : 1000 / partsPerSecond
  }

  /** Resolves when that many parts may go; rejects when the signal aborts first. */
  async take(parts: number, signal: AbortSignal): Promise<void> {
    let at = this.#reserve(parts)
    for (let wait = this.#waitFor(at); wait > 0; wait = this.#waitFor(at)) {
      await delay(wait, undefined, { signal })
      // A turn that fell into a pause is gone: the carrier asked for less, not for later.
      if (at < this.#pausedUntil) at = this.#reserve(parts)
    }
  }

  pause(ms: number): void {
    const until = performance.now() + ms
    if (until <= this.#pausedUntil) return
    this.#pausedUntil = until
    // Whoever holds a turn before the end of the pause takes a new one after it.
    this.#nextAt = until
  }

  #reserve(parts: number): number {
    const at = Math.max(this.#nextAt, performance.now() - burstMs)
    this.#nextAt = at + parts * this.#msPerPart
    return at
  }

  #waitFor(at: number): number {
    return Math.max(at, this.#pausedUntil) - performance.now()
  }
}
