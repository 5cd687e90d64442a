import { CircuitBreaker, type BreakerPass } from '../../../platform/circuit-breaker.ts'

/**
 * A webhook that fails half of its pushes must stay in use, so the breaker opens only if almost all fail.
 * With ten outcomes and three probes it opened for such webhooks in simulations; with twenty outcomes it did
 * not. One success closes it again. In `windowMs` twenty pushes can time out one after the other, at the default of 5 s.
 */
const breakerSettings = {
  windowOutcomes: 100,
  windowMs: 120_000,
  minOutcomes: 20,
  failureRatio: 0.9,
  probes: 1,
}
const maxPauseMs = 3_600_000

/** A pass, or the milliseconds to wait; a null `waitMs` means until a push in progress has ended. */
export type PushPermit =
  | { readonly pass: BreakerPass }
  | { readonly pass: null; readonly waitMs: number | null }

/**
 * Decides whether the next push to a webhook may start: within its rate, not during a pause that the receiver
 * requested, and not while its circuit breaker is open. Uses no timer.
 */
export class PushAdmission {
  readonly #breaker = new CircuitBreaker(breakerSettings)
  readonly #rateLimit: PushRateLimit
  #pausedUntilMs = 0

  constructor(perSecond: number) {
    this.#rateLimit = new PushRateLimit(perSecond)
  }

  /** Returns false if no push can start soon, so nothing needs to be read. */
  get isAdmitting(): boolean {
    return this.#breaker.state !== 'open' && performance.now() >= this.#pausedUntilMs
  }

  setRate(perSecond: number): void {
    this.#rateLimit.setRate(perSecond)
  }

  /** Pauses as the receiver requested, for at most one hour. */
  pauseFor(ms: number): void {
    this.#pausedUntilMs = performance.now() + Math.min(ms, maxPauseMs)
  }

  tryEnter(): PushPermit {
    const now = performance.now()
    if (now < this.#pausedUntilMs) return { pass: null, waitMs: this.#pausedUntilMs - now }
    if (this.#breaker.state === 'open') return { pass: null, waitMs: this.#breaker.pauseMs }
    const pass = this.#breaker.enter()
    // The breaker is half-open, and its probes are in progress.
    if (pass === null) return { pass: null, waitMs: null }
    const waitMs = this.#rateLimit.consume(now)
    if (waitMs === 0) return { pass }
    this.#breaker.giveBack(pass)
    return { pass: null, waitMs }
  }

  /** Records a result; null if it does not reflect the webhook's health. */
  record(pass: BreakerPass, failed: boolean | null): void {
    this.#breaker.recordOutcome(pass, failed)
  }

  /** Gives back an unused pass and its part of the rate. */
  release(pass: BreakerPass): void {
    this.#breaker.giveBack(pass)
    this.#rateLimit.release()
  }
}

const burstMs = 100

/** Rate limit of `perSecond` pushes per second, with a burst of a tenth of a second's worth. */
export class PushRateLimit {
  #gapMs: number
  /** Time at which the next push is due at an even spacing. */
  #dueAt = 0

  constructor(perSecond: number) {
    this.#gapMs = 1000 / perSecond
  }

  setRate(perSecond: number): void {
    this.#gapMs = 1000 / perSecond
  }

  /** Returns 0 and consumes one push, or the milliseconds to wait before the next call. */
  consume(nowMs: number): number {
    const due = Math.max(this.#dueAt, nowMs - burstMs)
    if (due > nowMs) return due - nowMs
    this.#dueAt = due + this.#gapMs
    return 0
  }

  /** Gives back an unused push. */
  release(): void {
    this.#dueAt -= this.#gapMs
  }
}
