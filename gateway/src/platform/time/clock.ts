/**
 * The time: PostgreSQL's time at the last measurement plus the monotonic time since. Every decision that
 * depends on time uses this clock or SQL's `now()`, so that the processes of a cell agree regardless of their
 * hosts' clocks, and setting a host's clock changes nothing. Until the first measurement it is the host's
 * clock; the roles wait for that measurement before they start (`clock-measurement.ts`). No other file reads
 * the host's clock or compares a time with `clock.now()` to decide that something has expired; the linter
 * checks it.
 */

export interface TimeSources {
  /** The host's clock, in milliseconds since 1970. */
  readonly wallMs: () => number
  /** Monotonic time in milliseconds; setting the host's clock does not change it. */
  readonly monotonicMs: () => number
}

/** One response of PostgreSQL: its time lies between the two monotonic times. */
export interface ClockSample {
  readonly databaseMs: number
  readonly sentMs: number
  readonly receivedMs: number
}

const systemSources: TimeSources = { wallMs: () => Date.now(), monotonicMs: () => performance.now() }

/** Time for every process to notice a jump: afterwards a process that still agrees confirms the old time. */
const explanationDelayMs = 20_000

export class Clock {
  readonly #sources: TimeSources
  /** Database time minus monotonic time; undefined before the first measurement. */
  #offsetMs: number | undefined
  /** Jump of the database's clock against the monotonic time since this process started. */
  #jumpMs = 0
  /** The last jump: the database's time before it, and the monotonic time of its measurement. */
  #jumped = { fromMs: 0, atMs: 0 }
  /**
   * Irreversible work is refused while the host's clock differs by more, or the database's clock has jumped
   * by more.
   */
  maxSkewMs = 30_000

  constructor(sources: TimeSources = systemSources) {
    this.#sources = sources
  }

  get isMeasured(): boolean {
    return this.#offsetMs !== undefined
  }

  get monotonicMs(): number {
    return this.#sources.monotonicMs()
  }

  /** Returns milliseconds since 1970 as an integer. */
  now(): number {
    const { wallMs, monotonicMs } = this.#sources
    return this.#offsetMs === undefined ? wallMs() : Math.floor(this.#offsetMs + monotonicMs())
  }

  date(): Date {
    return new Date(this.now())
  }

  /** Host's clock minus database's clock, in milliseconds. */
  get skewMs(): number {
    return this.#sources.wallMs() - this.now()
  }

  /**
   * Jump of the database's clock that was not undone. It is 0 after the jump is confirmed, by another process
   * or by an operator who restarts this one.
   */
  get jumpMs(): number {
    return this.#jumpMs
  }

  /**
   * The database's time before a forward jump that another process may explain, or null if there is none. A
   * process that ran before the jump and has seen none shows that the database's clock is right and that this
   * machine was paused.
   */
  get unexplainedSince(): Date | null {
    const isUnexplained =
      this.#jumpMs > this.maxSkewMs && this.monotonicMs - this.#jumped.atMs >= explanationDelayMs
    return isUnexplained ? new Date(this.#jumped.fromMs) : null
  }

  /** Accepts the jump: another process has shown that this machine was paused. */
  explainJump(): void {
    this.#jumpMs = 0
  }

  /**
   * Whether both clocks can be trusted. If one may be wrong, irreversible work that follows from time
   * (dropping, erasing, expiring, sending scheduled messages) is left to processes whose clock agrees with
   * the database. On PostgreSQL's own host the two clocks are one: there only the monotonic time shows that
   * it was set.
   */
  get agrees(): boolean {
    return Math.abs(this.skewMs) <= this.maxSkewMs && !this.hasJumped
  }

  /** True from a jump of the database's clock until it is undone or explained. */
  get hasJumped(): boolean {
    return Math.abs(this.#jumpMs) > this.maxSkewMs
  }

  /** Reports whether a deadline or a scheduled time has passed. Returns false while the clocks disagree. */
  hasPassed(at: Date | number): boolean {
    return Number(at) <= this.now() && this.agrees
  }

  /**
   * Returns the creation time before which everything has outlived `lifetimeMs`. While the clocks disagree
   * nothing has.
   */
  cutoff(lifetimeMs: number): Date {
    return new Date(this.agrees ? this.now() - lifetimeMs : 0)
  }

  /**
   * Returns the time from which the remaining time until `until` counts: now, or the earliest possible time
   * if the clocks disagree and `until` seems to have passed.
   */
  timeBefore(until: Date): number {
    const now = this.now()
    if (now < until.getTime() || this.agrees) return now
    return Math.min(now, this.#sources.wallMs(), now - this.#jumpMs)
  }

  /**
   * Follows the database and returns the correction of the clock in milliseconds. When the response arrived,
   * PostgreSQL's time was the reported time plus at most the round trip: inside that range nothing is
   * corrected, so a slow response moves nothing.
   */
  follow({ databaseMs, sentMs, receivedMs }: ClockSample): number {
    const earliest = databaseMs - receivedMs
    const latest = databaseMs - sentMs
    const previous = this.#offsetMs
    if (previous === undefined) {
      this.#offsetMs = (earliest + latest) / 2
      return 0
    }
    this.#offsetMs = Math.min(latest, Math.max(earliest, previous))
    const correctionMs = this.#offsetMs - previous
    // Smaller corrections are drift, or jumps within the bound.
    if (Math.abs(correctionMs) > this.maxSkewMs) {
      this.#jumpMs += correctionMs
      this.#jumped = { fromMs: previous + receivedMs, atMs: receivedMs }
    }
    return correctionMs
  }
}

/** The clock of this process. */
export const clock = new Clock()
