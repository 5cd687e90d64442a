import { burstOfShare, type RouteShare } from '../../../carriers/routes/shares.ts'

/** Milliseconds by which a route may be ahead of its rate after a pause in traffic. */
export const burstMs = 100

/**
 * Spaces the submissions of one owner by its rate. After a pause in traffic it may be ahead by `burstMs`. Over any window
 * of T ms at a steady rate it admits no more than rate × (T + burstMs) and one part; the owners of a shared route together
 * admit no more than the route alone would. A new owner of a share begins without a burst, and one part later than it
 * could, because submissions of its predecessor count for the same carrier.
 */
export class Pacer {
  #burstMs: number
  #nextAt: number

  constructor(burstMs: number, startAt = 0) {
    this.#burstMs = burstMs
    this.#nextAt = startAt
  }

  /**
   * Returns the time at which the next part may be admitted; at most `now` if it may be admitted immediately.
   */
  nextAt(now: number): number {
    this.#nextAt = Math.max(this.#nextAt, now - this.#burstMs)
    return this.#nextAt
  }

  /** Consumes the rate, in parts per second, for admitted parts. */
  consume(parts: number, rate: number): void {
    this.#nextAt += (parts * 1000) / rate
  }

  /** Returns the rate of admitted parts that are not submitted. */
  refund(parts: number, rate: number): void {
    this.#nextAt -= (parts * 1000) / rate
  }

  /** Sets the burst that belongs to a changed rate. */
  set burstMs(burstMs: number) {
    this.#burstMs = burstMs
  }

  /** Admits nothing before this time. */
  pauseUntil(time: number): void {
    this.#nextAt = Math.max(this.#nextAt, time)
  }
}

export function createPacer(share: RouteShare, now: number): Pacer {
  const { owners, partsPerSecond } = share
  const startAt = owners === 1 || partsPerSecond === 0 ? 0 : now + 1000 / partsPerSecond
  return new Pacer(burstOfShare(share, burstMs), startAt)
}
