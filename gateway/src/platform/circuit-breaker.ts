/**
 * Circuit breaker for a route or a webhook. While closed, everything passes; it opens when the failure ratio
 * of the recent outcomes reaches a threshold. While open, nothing passes until a pause is over. While
 * half-open, a few probes pass: if all succeed it closes, if one fails it opens again for longer. It wraps no
 * call and has no timer: the caller requests a pass before an attempt and reports the outcome afterwards.
 *
 * cockatiel and opossum run the guarded function themselves, treat an exception as the failure and read the
 * system clock. Here outcomes are values of several kinds, and a late one must not count twice.
 */
import { ceilingMs, withJitter, type Random } from './time/backoff.ts'

export type BreakerState = 'closed' | 'open' | 'half-open'

export interface BreakerSettings {
  /** The sliding window: at most this many outcomes, none older than `windowMs`. */
  readonly windowOutcomes: number
  readonly windowMs: number
  /** With fewer outcomes in the window the breaker never opens. */
  readonly minOutcomes: number
  readonly failureRatio: number
  readonly firstPauseMs: number
  readonly maxPauseMs: number
  /** Probes that pass while half-open; the same number of successes closes it. */
  readonly probes: number
  /** Time after which probes without an outcome are handed out again. */
  readonly probeTimeoutMs: number
  readonly now: () => number
  /** The source of jitter, which shortens a pause by up to a fifth: routes that failed together return one by one. */
  readonly random: Random
}

export const breakerDefaults: BreakerSettings = {
  // Large enough that one lost session of a fast route does not open its breaker.
  windowOutcomes: 1_000,
  windowMs: 30_000,
  minOutcomes: 20,
  failureRatio: 0.5,
  firstPauseMs: 5_000,
  maxPauseMs: 60_000,
  probes: 3,
  probeTimeoutMs: 30_000,
  now: () => performance.now(),
  random: Math.random,
}

/** Permission for one attempt. Its outcome counts only in the period in which the pass was issued. */
export type BreakerPass = number

export class CircuitBreaker {
  readonly #settings: BreakerSettings
  #outcomes: { readonly at: number; readonly failed: boolean }[] = []
  #failures = 0
  #state: BreakerState = 'closed'
  /** Grows with every change of state. */
  #period = 1
  /** When the pause ends while open, otherwise when the state began. */
  #at: number
  #pauses = 0
  #probesLeft = 0
  #successes = 0

  constructor(settings: Partial<BreakerSettings> = {}) {
    this.#settings = { ...breakerDefaults, ...settings }
    this.#at = this.#settings.now()
  }

  get state(): BreakerState {
    if (this.#state === 'open' && this.#settings.now() >= this.#at) this.#halfOpen()
    return this.#state
  }

  /** Time until the pause ends; 0 while closed or half-open. */
  get pauseMs(): number {
    return this.state === 'open' ? this.#at - this.#settings.now() : 0
  }

  /**
   * Issues a pass for one attempt, or null if nothing passes now. A pass that is not used must be given back.
   */
  enter(): BreakerPass | null {
    const state = this.state
    if (state === 'open') return null
    if (state === 'half-open') {
      if (this.#probesLeft === 0 && this.#settings.now() - this.#at >= this.#settings.probeTimeoutMs)
        this.#halfOpen()
      if (this.#probesLeft === 0) return null
      this.#probesLeft--
    }
    return this.#period
  }

  giveBack(pass: BreakerPass): void {
    if (pass === this.#period && this.#state === 'half-open' && this.#probesLeft < this.#settings.probes)
      this.#probesLeft++
  }

  /** Records the outcome of an attempt; `null` if it does not show whether the route or webhook works. */
  recordOutcome(pass: BreakerPass, failed: boolean | null): void {
    // An outcome from before the last change of state is already accounted for in that change.
    if (pass !== this.#period) return
    if (failed === null) return this.giveBack(pass)
    if (this.#state === 'half-open') {
      if (failed) this.#open()
      else if (++this.#successes >= this.#settings.probes) this.#close()
      return
    }
    this.#remember(failed)
    // A success never opens the breaker, even if it makes the sample large enough.
    const { minOutcomes, failureRatio } = this.#settings
    const { length } = this.#outcomes
    if (failed && length >= minOutcomes && this.#failures >= length * failureRatio) this.#open()
  }

  #remember(failed: boolean): void {
    const { windowOutcomes, windowMs, now } = this.#settings
    const at = now()
    const outcomes = this.#outcomes
    while (outcomes.length > 0 && (outcomes.length === windowOutcomes || at - outcomes[0]!.at > windowMs))
      if (outcomes.shift()!.failed) this.#failures--
    outcomes.push({ at, failed })
    if (failed) this.#failures++
  }

  #open(): void {
    const { now, random, firstPauseMs, maxPauseMs } = this.#settings
    const at = now()
    // After being closed for as long as the longest pause, the series of pauses starts over.
    if (this.#state === 'closed' && at - this.#at >= maxPauseMs) this.#pauses = 0
    const pauseMs = ceilingMs(this.#pauses++, { firstMs: firstPauseMs, maxMs: maxPauseMs })
    this.#enterState('open', at + withJitter(pauseMs, -0.2, random))
  }

  #halfOpen(): void {
    this.#enterState('half-open', this.#settings.now())
    this.#probesLeft = this.#settings.probes
    this.#successes = 0
  }

  #close(): void {
    this.#enterState('closed', this.#settings.now())
    this.#outcomes = []
    this.#failures = 0
  }

  #enterState(state: BreakerState, at: number): void {
    this.#state = state
    this.#period++
    this.#at = at
  }
}
