export interface AdaptiveRateOptions {
  /** Parts per second; 0 means no limit. */
  readonly ceiling: number
  /**
   * Number of owners of the route: each learns its share, and together they probe the carrier as one would.
   */
  readonly owners?: number
  readonly now?: () => number
}

/** A burst of throttled responses counts as one request to slow down. */
const cutEveryMs = 500
/** Older responses do not reflect the current rate. */
const recentMs = 1_000
/** A cut is decided over this many responses, or over those of `sampleMs`. */
const sampleResponses = 20
const sampleMs = 2_000
/** Carriers throttle single messages for other reasons; up to this fraction does not reflect the rate. */
const toleratedFraction = 0.05
/** Increase per second: a fraction of the ceiling, or this many parts per second without one. */
const gainFraction = 0.05
const gainUnbounded = 100
/** Minimum rate, however often the carrier throttles, so that a route can continue to learn. */
const minFraction = 0.05
const minUnbounded = 10
/**
 * Minimum first limit of an unlimited route, whose throughput at that moment may have been the start of a
 * burst.
 */
const firstUnbounded = 200
const fractionPeriodMs = 10_000
const throughputPeriodMs = 1_000

/**
 * AIMD rate control: learns from a carrier's responses how fast a route may submit. Additive increase; multiplicative
 * decrease by half the fraction of throttled responses beyond the tolerated one. If a carrier throttles everything, each cut
 * nearly halves the rate; one that always throttles a few, at any rate, does not stop the route.
 *
 * The configured rate is the ceiling; without one there is no limit until the carrier first throttles.
 */
export class AdaptiveRate {
  #ceiling = Infinity
  #min = 0
  #firstUnbounded = 0
  #gainPerSecond = 0
  readonly #now: () => number
  #bound: number
  #boundAt: number
  #cutFrom = 0
  #recentSince: number
  #recentResponses = 0
  #recentThrottles = 0
  #lastCutAt = -Infinity
  readonly #submitted: ThroughputWindow
  #fractionStart: number
  #responses = 0
  #throttles = 0
  #fraction = 0

  constructor({ ceiling, owners = 1, now = () => performance.now() }: AdaptiveRateOptions) {
    this.#now = now
    this.#submitted = new ThroughputWindow(now)
    this.#configure(ceiling, owners)
    this.#bound = this.#ceiling
    this.#boundAt = this.#fractionStart = this.#recentSince = now()
  }

  /**
   * Applies a new configured rate. A lower limit that was learned stays, because the carrier has not changed.
   */
  changeCeiling(ceiling: number, owners: number): void {
    const isLearned = this.value < this.#ceiling
    this.#configure(ceiling, owners)
    this.#bound = isLearned ? Math.min(this.#bound, this.#ceiling) : this.#ceiling
    this.#boundAt = this.#now()
  }

  #configure(ceiling: number, owners: number): void {
    this.#ceiling = ceiling === 0 ? Infinity : ceiling
    this.#min = ceiling === 0 ? minUnbounded / owners : ceiling * minFraction
    this.#gainPerSecond = ceiling === 0 ? gainUnbounded / owners : ceiling * gainFraction
    this.#firstUnbounded = firstUnbounded / owners
  }

  /** Current limit in parts per second; Infinity if there is none. */
  get value(): number {
    this.#gain()
    return this.#bound
  }

  /** Parts submitted during the last whole second. */
  get throughput(): number {
    return this.#submitted.perSecond
  }

  /** Fraction of recent responses that were throttled. */
  get throttledShare(): number {
    this.#rollFraction()
    return this.#fraction
  }

  recordSubmitted(parts: number): void {
    this.#submitted.add(parts)
  }

  recordResponse(): void {
    this.#rollFraction()
    this.#responses++
    if (this.#recentThrottles === 0 && this.#now() - this.#recentSince > recentMs) this.#startRecent()
    this.#recentResponses++
  }

  recordThrottle(): void {
    this.#rollFraction()
    this.#responses++
    this.#throttles++
    this.#recentResponses++
    this.#recentThrottles++
    const now = this.#now()
    if (now - this.#lastCutAt < cutEveryMs) return
    if (this.#recentResponses < sampleResponses && now - this.#recentSince < sampleMs) return
    const tooMuch = this.#recentThrottles / this.#recentResponses - toleratedFraction
    this.#startRecent()
    if (tooMuch <= 0) return
    this.#gain()
    // The current throughput was too high, whatever the limit allowed.
    const running = Math.max(this.throughput, this.#submitted.count)
    this.#cutFrom = Math.min(
      this.#bound,
      Math.max(this.#bound === Infinity ? this.#firstUnbounded : this.#min, running),
    )
    this.#bound = Math.max(this.#min, this.#cutFrom * (1 - tooMuch / 2))
    this.#boundAt = this.#lastCutAt = now
  }

  #startRecent(): void {
    this.#recentSince = this.#now()
    this.#recentResponses = this.#recentThrottles = 0
  }

  #gain(): void {
    if (this.#bound === this.#ceiling) return
    const now = this.#now()
    const gained = (this.#gainPerSecond * (now - this.#boundAt)) / 1000
    this.#boundAt = now
    this.#bound = Math.min(this.#ceiling, this.#bound + gained)
    // Far beyond the rate that was too high, a route without a ceiling is unlimited again.
    if (this.#ceiling === Infinity && this.#bound > this.#cutFrom * 4) this.#bound = Infinity
  }

  #rollFraction(): void {
    if (this.#now() - this.#fractionStart < fractionPeriodMs) {
      if (this.#responses >= sampleResponses)
        this.#fraction = Math.max(this.#fraction, this.#throttles / this.#responses)
      return
    }
    this.#fraction = this.#responses === 0 ? 0 : this.#throttles / this.#responses
    this.#responses = this.#throttles = 0
    this.#fractionStart = this.#now()
  }
}

/** Counts events of the last whole second. */
export class ThroughputWindow {
  readonly #now: () => number
  #start: number
  #count = 0
  #perSecond = 0

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
    this.#start = now()
  }

  add(count: number): void {
    this.#roll()
    this.#count += count
  }

  /** Returns the events of the current second so far. */
  get count(): number {
    return this.#count
  }

  /** Returns the events of the last whole second. */
  get perSecond(): number {
    this.#roll()
    return this.#perSecond
  }

  #roll(): void {
    const elapsed = this.#now() - this.#start
    if (elapsed < throughputPeriodMs) return
    this.#perSecond = elapsed > 2 * throughputPeriodMs ? 0 : (this.#count * 1000) / elapsed
    this.#count = 0
    this.#start = this.#now()
  }
}
