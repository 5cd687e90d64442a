/**
 * Whether the next push to a webhook may go: within its rate, not while it has asked for a pause, and not while it rests because
 * it only fails. Asked before each push and told how it ended; keeps no timer and pushes nothing.
 */
import { CircuitBreaker, type Pass } from '../platform/circuit-breaker.ts'
import { Pace } from './pace.ts'

/**
 * A webhook may fail half of its pushes and still be pushed to; one that only fails rests. Of 2,000 simulated ones that fail half,
 * ten outcomes and three probes rested 19 within five minutes, for three minutes each; twenty outcomes none. One
 * success is proof enough that it does not only fail. The window is long enough for one push at a time that times out.
 */
const breakerSettings = {
  ...{ windowOutcomes: 100, windowMs: 120_000, minOutcomes: 20 },
  ...{ failureRatio: 0.9, probes: 1 },
}
const maxPauseMs = 3_600_000

/** A pass, or how long to wait before asking again; null: until a push that is under way has ended. */
export type Entry = { readonly pass: Pass } | { readonly pass: null; readonly waitMs: number | null }

export class PushAdmission {
  readonly #breaker = new CircuitBreaker(breakerSettings)
  readonly #pace: Pace
  #pausedUntilMs = 0

  constructor(perSecond: number) {
    this.#pace = new Pace(perSecond)
  }

  /** It is worth having something ready. */
  get open(): boolean {
    return this.#breaker.state !== 'open' && performance.now() >= this.#pausedUntilMs
  }

  changePace(perSecond: number): void {
    this.#pace.change(perSecond)
  }

  /** The receiver has asked for it; for no longer than an hour. */
  pauseFor(ms: number): void {
    this.#pausedUntilMs = performance.now() + Math.min(ms, maxPauseMs)
  }

  enter(): Entry {
    const now = performance.now()
    if (now < this.#pausedUntilMs) return { pass: null, waitMs: this.#pausedUntilMs - now }
    if (this.#breaker.state === 'open') return { pass: null, waitMs: this.#breaker.pauseMs }
    const pass = this.#breaker.enter()
    // Half open, and its probes are under way.
    if (pass === null) return { pass: null, waitMs: null }
    const waitMs = this.#pace.take(now)
    if (waitMs === 0) return { pass }
    this.#breaker.giveBack(pass)
    return { pass: null, waitMs }
  }

  /** Null: it says nothing about the webhook. */
  note(pass: Pass, failed: boolean | null): void {
    this.#breaker.note(pass, failed)
  }

  /** Nothing was pushed with it. */
  giveBack(pass: Pass): void {
    this.#breaker.giveBack(pass)
  }
}
