/**
 * Decides whether the next push to a webhook may start: within its rate, not during a pause that the receiver asked
 * for, and not while its circuit breaker is open. The endpoint worker asks before each push and records the result.
 * Keeps no timer.
 */
import { CircuitBreaker, type Pass } from '../platform/circuit-breaker.ts'

/**
 * A webhook may fail half of its pushes and stay in use; the breaker opens for one that almost only fails. Of 2,000
 * simulated webhooks that fail half, ten outcomes and three probes opened the breaker of 19 within five minutes, for
 * three minutes each; twenty outcomes opened none. One success closes it again. The window is long enough for one push
 * at a time that times out.
 */
const breakerSettings = {
  ...{ windowOutcomes: 100, windowMs: 120_000, minOutcomes: 20 },
  ...{ failureRatio: 0.9, probes: 1 },
}
const maxPauseMs = 3_600_000

/** A pass, or how long to wait before asking again; null: until a push that is under way has ended. */
export type Admission = { readonly pass: Pass } | { readonly pass: null; readonly waitMs: number | null }

export class PushAdmission {
  readonly #breaker = new CircuitBreaker(breakerSettings)
  readonly #pace: Pace
  #pausedUntilMs = 0

  constructor(perSecond: number) {
    this.#pace = new Pace(perSecond)
  }

  /** False: nothing can start soon, so nothing needs to be read. */
  get open(): boolean {
    return this.#breaker.state !== 'open' && performance.now() >= this.#pausedUntilMs
  }

  setRate(perSecond: number): void {
    this.#pace.setRate(perSecond)
  }

  /** The receiver asked for it; at most one hour. */
  pauseFor(ms: number): void {
    this.#pausedUntilMs = performance.now() + Math.min(ms, maxPauseMs)
  }

  tryEnter(): Admission {
    const now = performance.now()
    if (now < this.#pausedUntilMs) return { pass: null, waitMs: this.#pausedUntilMs - now }
    if (this.#breaker.state === 'open') return { pass: null, waitMs: this.#breaker.pauseMs }
    const pass = this.#breaker.enter()
    // Half-open, and its probes are under way.
    if (pass === null) return { pass: null, waitMs: null }
    const waitMs = this.#pace.take(now)
    if (waitMs === 0) return { pass }
    this.#breaker.giveBack(pass)
    return { pass: null, waitMs }
  }

  /** Null: the result says nothing about the webhook's health. */
  record(pass: Pass, failed: boolean | null): void {
    this.#breaker.note(pass, failed)
  }

  /** Returns a pass with which nothing was pushed, and its part of the rate. */
  giveBack(pass: Pass): void {
    this.#breaker.giveBack(pass)
    this.#pace.giveBack()
  }
}

const burstMs = 100

/** At most `perSecond` pushes a second, with a burst of a tenth of a second's worth. */
export class Pace {
  #gapMs: number
  /** When the next push is due at an even spacing. */
  #dueAt = 0

  constructor(perSecond: number) {
    this.#gapMs = 1000 / perSecond
  }

  setRate(perSecond: number): void {
    this.#gapMs = 1000 / perSecond
  }

  /** 0: one is taken; otherwise how long to wait before asking again. */
  take(nowMs: number): number {
    const due = Math.max(this.#dueAt, nowMs - burstMs)
    if (due > nowMs) return due - nowMs
    this.#dueAt = due + this.#gapMs
    return 0
  }

  /** Returns one that was taken and not used. */
  giveBack(): void {
    this.#dueAt -= this.#gapMs
  }
}
