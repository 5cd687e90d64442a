/**
 * Circuit breaker for a route or a webhook. Closed: everything passes. It opens when the failure ratio of the recent
 * outcomes reaches a threshold (half by default). Open: nothing passes until a pause is over. Half-open: a few probes
 * pass; if all succeed it closes, if one fails it opens again for longer. It wraps no call and keeps no timer: the
 * caller asks for a pass before a try and reports the outcome afterwards.
 *
 * cockatiel and opossum were considered: both run the guarded function themselves, take an exception for the failure and
 * read the system clock. Our outcomes are values of several kinds, and a late one must not count twice.
 */
import { ceilingMs, withJitter, type Random } from './backoff.ts'

export type BreakerState = 'closed' | 'open' | 'half-open'

export interface BreakerSettings {
  /** The sliding window: at most this many outcomes, none older than `windowMs`. */
  readonly windowOutcomes: number
  readonly windowMs: number
  /** With fewer outcomes in the window it never opens. */
  readonly minOutcomes: number
  readonly failureRatio: number
  readonly firstPauseMs: number
  readonly maxPauseMs: number
  /** Probes that pass while half-open; the same number of successes closes it. */
  readonly probes: number
  /** Probes without an outcome for this long are handed out again. */
  readonly probeTimeoutMs: number
  readonly now: () => number
  /** Jitter: shortens a pause by up to a fifth, so that routes that failed together do not return together. */
  readonly random: Random
}

export const breakerDefaults: BreakerSettings = {
  // At 6,000 a second this is a sixth of a second, so that one lost session does not open the breaker of the route.
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

/** Permission for one try. Its outcome counts only in the period in which the pass was issued. */
export type Pass = number

export class CircuitBreaker {
  readonly #settings: BreakerSettings
  readonly #times: Float64Array
  readonly #failed: Uint8Array
  #first = 0
  #count = 0
  #failures = 0
  #state: BreakerState = 'closed'
  /** Grows with every change of state. */
  #period = 1
  /** Closed and half-open: when the state began. Open: when the pause ends. */
  #at: number
  #pauses = 0
  #probesLeft = 0
  #successes = 0

  constructor(settings: Partial<BreakerSettings> = {}) {
    this.#settings = { ...breakerDefaults, ...settings }
    this.#times = new Float64Array(this.#settings.windowOutcomes)
    this.#failed = new Uint8Array(this.#settings.windowOutcomes)
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

  /** Call before a try. Null: not now. A pass that is not used must be given back. */
  enter(): Pass | null {
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

  giveBack(pass: Pass): void {
    if (pass === this.#period && this.#state === 'half-open' && this.#probesLeft < this.#settings.probes)
      this.#probesLeft++
  }

  /** Reports the outcome of a try. Null: the outcome says nothing about the route or webhook. */
  note(pass: Pass, failed: boolean | null): void {
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
    if (failed && this.#count >= minOutcomes && this.#failures >= this.#count * failureRatio) this.#open()
  }

  #remember(failed: boolean): void {
    const { windowOutcomes, windowMs, now } = this.#settings
    const at = now()
    while (this.#count > 0 && (this.#count === windowOutcomes || at - this.#times[this.#first]! > windowMs)) {
      this.#failures -= this.#failed[this.#first]!
      this.#first = (this.#first + 1) % windowOutcomes
      this.#count--
    }
    const slot = (this.#first + this.#count) % windowOutcomes
    this.#times[slot] = at
    this.#failed[slot] = failed ? 1 : 0
    this.#count++
    if (failed) this.#failures++
  }

  #open(): void {
    const { now, random, firstPauseMs, maxPauseMs } = this.#settings
    const at = now()
    // Closed for as long as the longest pause: the series of pauses starts over.
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
    this.#count = 0
    this.#failures = 0
  }

  #enterState(state: BreakerState, at: number): void {
    this.#state = state
    this.#period++
    this.#at = at
  }
}
