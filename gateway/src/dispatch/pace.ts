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
    const now = performance.now()
    const at = Math.max(this.#nextAt, now - burstMs)
    this.#nextAt = at + parts * this.#msPerPart
    let wait = Math.max(at, this.#pausedUntil) - now
    while (wait > 0) {
      await delay(wait, undefined, { signal })
      wait = this.#pausedUntil - performance.now()
    }
  }

  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + ms)
    // The pause is not made up for: the carrier asked for less, not for later.
    this.#nextAt = Math.max(this.#nextAt, this.#pausedUntil)
  }
}
