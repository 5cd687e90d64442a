/**
 * Rests what mostly fails (a route, a webhook): closed → open when half of the recent outcomes are failures → half-open, when a few
 * probes may go → closed again, or open for longer. It wraps no call and keeps no timer: it is asked for a pass before
 * a try and told whether it failed.
 *
 * cockatiel and opossum were weighed: both run the guarded function themselves, take failure to be an exception and
 * read the machine's clock. Our outcomes are values, of several kinds, and a late one must not count twice.
 */
import { ceilingMs, withJitter, type Random } from './backoff.ts'

export type BreakerState = 'closed' | 'open' | 'half-open'

export interface BreakerSettings {
  /** Recent: at most this many outcomes, and none older. */
  readonly windowOutcomes: number
  readonly windowMs: number
  /** With fewer recent outcomes it never opens. */
  readonly minOutcomes: number
  readonly failureShare: number
  readonly firstRestMs: number
  readonly maxRestMs: number
  /** Probes that may go while half-open; as many successes close it. */
  readonly probes: number
  /** Probes of which nothing was heard for so long are given out again. */
  readonly probeTimeoutMs: number
  readonly now: () => number
  /** 0 to below 1; takes up to a fifth off a rest, so that routes that failed together do not return together. */
  readonly random: Random
}

export const breakerDefaults: BreakerSettings = {
  // At 6,000 a second still a sixth of a second, so that one lost session does not rest the route.
  windowOutcomes: 1_000,
  windowMs: 30_000,
  minOutcomes: 20,
  failureShare: 0.5,
  firstRestMs: 5_000,
  maxRestMs: 60_000,
  probes: 3,
  probeTimeoutMs: 30_000,
  now: () => performance.now(),
  random: Math.random,
}

/** Allows one submission; an outcome counts only in the period in which its pass was given. */
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
  /** When the state began: closed or half-open since, or open until. */
  #at: number
  #rests = 0
  #probesLeft = 0
  #successes = 0

  constructor(settings: Partial<BreakerSettings> = {}) {
    this.#settings = { ...breakerDefaults, ...settings }
    this.#times = new Float64Array(this.#settings.windowOutcomes)
    this.#failed = new Uint8Array(this.#settings.windowOutcomes)
    this.#at = this.#settings.now()
  }

  get state(): BreakerState {
    if (this.#state === 'open' && this.#settings.now() >= this.#at) this.#tryAgain()
    return this.#state
  }

  /** How long until a pass may be had; 0 when one may be had now or depends on the outcome of a probe. */
  get restMs(): number {
    return this.state === 'open' ? this.#at - this.#settings.now() : 0
  }

  /** Ask before a submission; null: not now. A pass that is not used must be given back. */
  enter(): Pass | null {
    const state = this.state
    if (state === 'open') return null
    if (state === 'half-open') {
      if (this.#probesLeft === 0 && this.#settings.now() - this.#at >= this.#settings.probeTimeoutMs)
        this.#tryAgain()
      if (this.#probesLeft === 0) return null
      this.#probesLeft--
    }
    return this.#period
  }

  giveBack(pass: Pass): void {
    if (pass === this.#period && this.#state === 'half-open' && this.#probesLeft < this.#settings.probes)
      this.#probesLeft++
  }

  /** Null: the try says nothing about what is guarded. */
  note(pass: Pass, failed: boolean | null): void {
    // A word from before the last change of state is no news: it helped to bring the change about.
    if (pass !== this.#period) return
    if (failed === null) return this.giveBack(pass)
    if (this.#state === 'half-open') {
      if (failed) this.#rest()
      else if (++this.#successes >= this.#settings.probes) this.#close()
      return
    }
    this.#remember(failed)
    // A success never opens it, even if it makes the sample large enough.
    const { minOutcomes, failureShare } = this.#settings
    if (failed && this.#count >= minOutcomes && this.#failures >= this.#count * failureShare) this.#rest()
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

  #rest(): void {
    const { now, random, firstRestMs, maxRestMs } = this.#settings
    const at = now()
    // Well for as long as the longest rest: its failures before are forgiven.
    if (this.#state === 'closed' && at - this.#at >= maxRestMs) this.#rests = 0
    const pauseMs = ceilingMs(this.#rests++, { firstMs: firstRestMs, maxMs: maxRestMs })
    this.#enterState('open', at + withJitter(pauseMs, -0.2, random))
  }

  #tryAgain(): void {
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
