/**
 * The time: PostgreSQL's time at the last measurement plus the monotonic time since. Every decision that depends on
 * time uses it or SQL's `now()`, so that the processes of a cell agree whatever their hosts' clocks show, and a step of a
 * host's clock changes nothing. Until the first measurement it is the host's clock; the roles wait for that measurement
 * before they start (`clock-measurement.ts`). No other file reads the host's clock or compares a time with `clock.now()` to
 * decide that something has expired; the linter checks it.
 */

export interface TimeSources {
  /** The host's clock, in milliseconds since 1970. */
  readonly wallMs: () => number
  /** Never stepped, not even when the host's clock is set. */
  readonly monotonicMs: () => number
}

/** One answer of PostgreSQL: its time lies between the two monotonic times. */
export interface ClockSample {
  readonly databaseMs: number
  readonly sentMs: number
  readonly receivedMs: number
}

const systemSources: TimeSources = { wallMs: () => Date.now(), monotonicMs: () => performance.now() }

/** Other processes have measured several times by then, so that none of them agrees that has not noticed yet. */
const askAfterMs = 20_000

export class Clock {
  readonly #sources: TimeSources
  /** Database time minus monotonic time; undefined before the first measurement. */
  #offsetMs: number | undefined
  /** How far the database has jumped against the monotonic time since this process started. */
  #jumpMs = 0
  /** When the last jump was measured: the database's time before it, and the monotonic time. */
  #jumped = { fromMs: 0, atMs: 0 }
  /** While the host's clock differs by more, or the database has jumped by more, work that cannot be undone is refused. */
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

  /** Milliseconds since 1970, a whole number. */
  now(): number {
    const { wallMs, monotonicMs } = this.#sources
    return this.#offsetMs === undefined ? wallMs() : Math.floor(this.#offsetMs + monotonicMs())
  }

  date(): Date {
    return new Date(this.now())
  }

  /** Host's clock minus database's clock. */
  get skewMs(): number {
    return this.#sources.wallMs() - this.now()
  }

  /**
   * How far the database has jumped and not jumped back. It is 0 after the jump is confirmed, by another process or by an
   * operator who restarts this one.
   */
  get jumpMs(): number {
    return this.#jumpMs
  }

  /**
   * The database's time before a jump forward that another process may explain. A process that ran before it and has seen
   * none shows that the database's clock is right and that this machine was paused. It is null if there is nothing to explain.
   */
  get unexplainedSince(): Date | null {
    const asks = this.#jumpMs > this.maxSkewMs && this.monotonicMs - this.#jumped.atMs >= askAfterMs
    return asks ? new Date(this.#jumped.fromMs) : null
  }

  /** Accepts the jump: another process has shown that this machine was paused. */
  explainJump(): void {
    this.#jumpMs = 0
  }

  /**
   * Whether both clocks can be trusted. If one may be wrong, work that follows from time and cannot be undone (dropping, erasing,
   * expiring, sending what is scheduled) is left to processes whose clock agrees with the database. On PostgreSQL's
   * own host the two clocks are one: there only the monotonic time shows that it was set.
   */
  get agrees(): boolean {
    return Math.abs(this.skewMs) <= this.maxSkewMs && !this.hasJumped
  }

  /** True while a jump of the database's clock is neither undone nor explained. */
  get hasJumped(): boolean {
    return Math.abs(this.#jumpMs) > this.maxSkewMs
  }

  /** Returns whether a deadline or a scheduled time has passed. While the clocks disagree none has. */
  hasPassed(at: Date | number): boolean {
    return Number(at) <= this.now() && this.agrees
  }

  /** Returns the time of creation before which everything has outlived `lifetimeMs`. While the clocks disagree nothing has. */
  cutoff(lifetimeMs: number): Date {
    return new Date(this.agrees ? this.now() - lifetimeMs : 0)
  }

  /**
   * Returns the time from which to count what is left until `until`: now, or the earliest time that it may be if the clocks
   * disagree and `until` seems to have passed.
   */
  timeBefore(until: Date): number {
    const now = this.now()
    if (now < until.getTime() || this.agrees) return now
    return Math.min(now, this.#sources.wallMs(), now - this.#jumpMs)
  }

  /**
   * Follows the database and returns by how much the clock was corrected. When the answer arrived, PostgreSQL's time was
   * the answer plus at most the round trip: inside that range nothing is corrected, so a slow answer moves nothing.
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
    // Less is drift, or a jump that the bound permits.
    if (Math.abs(correctionMs) > this.maxSkewMs) {
      this.#jumpMs += correctionMs
      this.#jumped = { fromMs: previous + receivedMs, atMs: receivedMs }
    }
    return correctionMs
  }
}

/** The clock of this process. */
export const clock = new Clock()
