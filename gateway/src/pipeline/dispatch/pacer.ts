/**
 * Spaces the submissions of one owner by its rate. After a pause in traffic it may be ahead by `burstMs`. Over any window
 * of T ms at a steady rate it admits no more than rate × (T + burstMs) and one part; the owners of a shared route together
 * no more than the route alone would. A new owner of a share begins without a burst, and one part later than it could:
 * what its predecessor has just sent counts for the same carrier.
 */
import { burstOfShare, type RouteShare } from '../../routes/shares.ts'

/** How far a route may exceed its rate after a pause in traffic. */
export const burstMs = 100

export class Pacer {
  #burstMs: number
  #nextAt: number

  constructor(burstMs: number, startAt = 0) {
    this.#burstMs = burstMs
    this.#nextAt = startAt
  }

  /** When the next part may be admitted; not later than `now` when it may be admitted at once. */
  nextAt(now: number): number {
    this.#nextAt = Math.max(this.#nextAt, now - this.#burstMs)
    return this.#nextAt
  }

  /** Parts were admitted at this rate, in parts per second. */
  admitted(parts: number, rate: number): void {
    this.#nextAt += (parts * 1000) / rate
  }

  /** Parts that were admitted are not submitted: what they took of the rate is free again. */
  returned(parts: number, rate: number): void {
    this.#nextAt -= (parts * 1000) / rate
  }

  /** The rate of the route has changed, and how far it may be exceeded with it. */
  set burstMs(burstMs: number) {
    this.#burstMs = burstMs
  }

  /** Nothing is admitted before this time. */
  pauseUntil(time: number): void {
    this.#nextAt = Math.max(this.#nextAt, time)
  }
}

export function createPacer(share: RouteShare, now: number): Pacer {
  const { owners, partsPerSecond } = share
  const startAt = owners === 1 || partsPerSecond === 0 ? 0 : now + 1000 / partsPerSecond
  return new Pacer(burstOfShare(share, burstMs), startAt)
}
