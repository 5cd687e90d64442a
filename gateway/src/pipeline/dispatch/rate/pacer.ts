import { burstOfShare, type RouteShare } from '../../../carriers/routes/shares.ts'

/** Milliseconds by which a route may be ahead of its rate after a pause in traffic. */
export const defaultBurstMs = 100

/**
 * Spaces the submissions of one owner by its rate. After a pause in traffic it may be ahead by `burstMs`. In any period of
 * T ms at a steady rate of r parts per second it admits at most r × (T + burstMs) / 1000 parts and one more; the owners of
 * a shared route together admit no more than the route alone would. A new owner of a share begins without a burst and
 * waits for the interval of one part, because the carrier may still count its predecessor's last submissions.
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

  /** Gives back what `consume` took for parts that were admitted but not submitted. */
  refund(parts: number, rate: number): void {
    this.#nextAt -= (parts * 1000) / rate
  }

  /** Sets the burst, in milliseconds, after the rate changed. */
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
  return new Pacer(burstOfShare(share, defaultBurstMs), startAt)
}
