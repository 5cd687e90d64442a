import { setTimeout as delay } from 'node:timers/promises'
import { lanes, type Lane } from '../../../channels/lane.ts'
import type { AdmissionResult } from '../step/ports.ts'
import { AccountTurns } from './account-turns.ts'
import type { AdaptiveRate } from '../rate/adaptive-rate.ts'
import { defaultBurstMs, Pacer } from '../rate/pacer.ts'
import { clock } from '../../../platform/time/clock.ts'

interface Entry<Job> {
  readonly job: Job
  readonly parts: number
  readonly dueAt: number
  readonly decide: (admission: AdmissionResult) => void
}

export interface LaneSchedulerOptions<Job> {
  /** Returns the account of a step; steps of one account keep their order within a lane. */
  readonly getAccountId: (job: Job) => number
  /** Returns how many parts an account may send in its turn. */
  readonly getWeight: (accountId: number) => number
  /**
   * Maximum parts that are admitted at the same time; a message with more parts is admitted if no other is.
   */
  readonly capacity: number
  readonly rate: AdaptiveRate
  readonly pacer?: Pacer
  /**
   * Returns false while another process may own the route: a process that was frozen must not submit at the
   * same time as its successor. Checked again each time the scheduler is opened, several times per second.
   */
  readonly isEligible?: () => boolean
}

/** Parts that a lane may send before the next lane is served. */
const quanta: Readonly<Record<Lane, number>> = { urgent: 16, normal: 4, bulk: 1 }
/**
 * Longest pause granted to a carrier; after it the first submissions show whether it still throttles.
 * Otherwise one `Retry-After` of an hour would stop all messages of a route for an hour.
 */
export const maxPauseMs = 60_000
/** Interval of deadline checks while the scheduler is closed. */
const dropExpiredEveryMs = 100

/**
 * Orders the steps of one route that wait in memory to be claimed and submitted: for the link, for the route's rate, for
 * room in the window, and for each other. Deficit round robin over the lanes lets an urgent step pass a backlog of
 * others and starves no lane; within a lane accounts take turns. One timer serves all entries.
 */
export class LaneScheduler<Job> {
  readonly #capacity: number
  readonly #rate: AdaptiveRate
  readonly #pacer: Pacer
  readonly #isEligible: () => boolean
  readonly #getAccountId: (job: Job) => number
  readonly #waiting: Readonly<Record<Lane, AccountTurns<Entry<Job>>>>
  readonly #parts: Record<Lane, number> = { urgent: 0, normal: 0, bulk: 0 }
  readonly #credit: Record<Lane, number> = { urgent: 0, normal: 0, bulk: 0 }
  #laneIndex = 0
  #admitted = 0
  #closed = true
  #pausedUntil = 0
  #pauseMs = 0
  #probes = Infinity
  #timer: NodeJS.Timeout | undefined
  /** Which steps may still wait. */
  #mayWait: (job: Job) => boolean = () => true
  /** Lower limit of the deadlines of all entries; may be the deadline of an entry that has left. */
  #firstDueAt = Infinity
  #droppedExpiredAt = -Infinity

  constructor(options: LaneSchedulerOptions<Job>) {
    const { capacity, rate, getAccountId, getWeight } = options
    this.#waiting = {
      urgent: new AccountTurns(getWeight),
      normal: new AccountTurns(getWeight),
      bulk: new AccountTurns(getWeight),
    }
    this.#capacity = capacity
    this.#getAccountId = getAccountId
    this.#rate = rate
    this.#pacer = options.pacer ?? new Pacer(defaultBurstMs)
    this.#isEligible = options.isEligible ?? (() => true)
  }

  enter(lane: Lane, job: Job, parts: number, dueAt: number): Promise<AdmissionResult> {
    if (!this.#mayWait(job)) return Promise.resolve('stopping')
    return new Promise((decide) => {
      this.#waiting[lane].push(this.#getAccountId(job), { job, parts, dueAt, decide })
      this.#parts[lane] += parts
      this.#firstDueAt = Math.min(this.#firstDueAt, dueAt)
      this.#serve()
    })
  }

  leave(parts: number): void {
    this.#admitted -= parts
    this.#serve()
  }

  /** Replaces `leave` for a step that was not submitted: others may use its part of the rate. */
  returnUnused(parts: number): void {
    const rate = this.#rate.value
    if (rate !== Infinity) this.#pacer.refund(parts, rate)
    this.#rate.recordSubmitted(-parts)
    this.leave(parts)
  }

  /**
   * Waits until the rate and the pauses of the route allow one more part of an admitted step. Resolves to
   * false if that takes longer than `maxMs`, or the signal aborts.
   */
  async takeTurn(maxMs: number, signal: AbortSignal): Promise<boolean> {
    for (let now = performance.now(); ; now = performance.now()) {
      const rate = this.#rate.value
      const at = Math.max(now, this.#pausedUntil, rate === Infinity ? now : this.#pacer.nextAt(now))
      if (at - now > maxMs) return false
      if (rate !== Infinity) this.#pacer.consume(1, rate)
      this.#rate.recordSubmitted(1)
      const waited = await delay(at - now, true, { signal }).catch(() => false)
      // The route may have been paused in the meantime.
      if (!waited || performance.now() >= this.#pausedUntil) return waited
    }
  }

  /** Returns the number of parts that wait in the lane. */
  waiting(lane: Lane): number {
    return this.#parts[lane]
  }

  /** True if no step waits. */
  get isEmpty(): boolean {
    return lanes.every((lane) => this.#waiting[lane].size === 0)
  }

  /** Returns the parts that wait in the lane by account. */
  waitingByAccount(lane: Lane): Map<number, number> {
    return this.#waiting[lane].parts
  }

  /** Admits steps until closed. `probes` limits concurrent parts while the route is being tested. */
  open(probes = Infinity): void {
    this.#probes = probes
    this.#closed = false
    this.#serve()
  }

  /** Admits nothing. Must be called repeatedly while the route cannot send, so that expired entries leave. */
  close(): void {
    this.#closed = true
    this.#dropExpired()
  }

  /** Admits nothing for this time, at most `maxPauseMs`, even over a new link, because the carrier requested it. */
  pause(ms: number): void {
    const pauseMs = Math.min(ms, maxPauseMs)
    const until = performance.now() + pauseMs
    if (until <= this.#pausedUntil) return
    this.#pausedUntil = until
    this.#pauseMs = pauseMs
    this.#pacer.pauseUntil(until)
    this.#wakeAt(until)
  }

  /** Length of the current pause in milliseconds; 0 if there is none. */
  get pauseMs(): number {
    return performance.now() < this.#pausedUntil ? this.#pauseMs : 0
  }

  /**
   * Removes the entries for which `mayLeave` returns true: their `enter` resolves with the decision. Returns
   * their number.
   */
  remove(mayLeave: (job: Job) => boolean, decision: 'moved' | 'held' | 'stopping'): number {
    let removed = 0
    for (const lane of lanes) {
      const leaving = this.#waiting[lane].remove(({ job }) => mayLeave(job))
      for (const entry of leaving) {
        this.#parts[lane] -= entry.parts
        entry.decide(decision)
      }
      removed += leaving.length
    }
    return removed
  }

  /** Admits only these steps from now on, and none if it is closed; the waits of all others end. */
  drain(mayStay: (job: Job) => boolean): void {
    this.#mayWait = this.#closed ? () => false : mayStay
    this.remove((job) => !this.#mayWait(job), 'stopping')
    // The timer of a pause would keep the process running.
    if (this.isEmpty) clearTimeout(this.#timer)
  }

  stop(): void {
    this.drain(() => false)
  }

  #serve(): void {
    const now = performance.now()
    if (this.#closed || now < this.#pausedUntil) {
      this.#dropExpired()
      // A timer may fire slightly too early.
      if (!this.#closed) this.#wakeAt(this.#pausedUntil)
      return
    }
    if (!this.#isEligible()) return
    for (let lane = this.#nextLane(); lane !== undefined; lane = this.#nextLane()) {
      const entry = this.#waiting[lane].first!
      if (clock.hasPassed(entry.dueAt)) {
        this.#take(lane).decide('expired')
        continue
      }
      if (!this.#fits(entry.parts)) return
      const rate = this.#rate.value
      if (rate !== Infinity) {
        const nextAt = this.#pacer.nextAt(now)
        if (nextAt > now) {
          this.#wakeAt(nextAt)
          return
        }
        this.#pacer.consume(entry.parts, rate)
      }
      this.#take(lane)
      this.#credit[lane] -= entry.parts
      this.#admitted += entry.parts
      this.#rate.recordSubmitted(entry.parts)
      entry.decide('go')
    }
  }

  /** Selects the next lane by deficit round robin over the lanes with entries. */
  #nextLane(): Lane | undefined {
    if (this.isEmpty) return undefined
    for (;;) {
      const lane = lanes[this.#laneIndex]!
      const { first } = this.#waiting[lane]
      if (first !== undefined && this.#credit[lane] >= first.parts) return lane
      // An empty lane must not accumulate credit.
      if (first === undefined) this.#credit[lane] = 0
      this.#laneIndex = (this.#laneIndex + 1) % lanes.length
      const next = lanes[this.#laneIndex]!
      if (this.#waiting[next].size > 0) this.#credit[next] += quanta[next]
    }
  }

  #take(lane: Lane): Entry<Job> {
    const entry = this.#waiting[lane].shift()!
    this.#parts[lane] -= entry.parts
    return entry
  }

  /** Removes expired entries while the scheduler is closed, so they need not wait for it to open. */
  #dropExpired(): void {
    const now = performance.now()
    if (now - this.#droppedExpiredAt < dropExpiredEveryMs) return
    if (!clock.hasPassed(this.#firstDueAt)) return
    this.#droppedExpiredAt = now
    this.#firstDueAt = Infinity
    // Also finds the first deadline of the entries that stay.
    const isDue = ({ dueAt }: Entry<Job>): boolean => {
      const past = clock.hasPassed(dueAt)
      if (!past) this.#firstDueAt = Math.min(this.#firstDueAt, dueAt)
      return past
    }
    for (const lane of lanes) {
      for (const entry of this.#waiting[lane].remove(isDue)) {
        this.#parts[lane] -= entry.parts
        entry.decide('expired')
      }
    }
  }

  #fits(parts: number): boolean {
    return this.#admitted === 0 || this.#admitted + parts <= Math.min(this.#capacity, this.#probes)
  }

  #wakeAt(at: number): void {
    clearTimeout(this.#timer)
    if (this.isEmpty) return
    this.#timer = setTimeout(() => this.#serve(), Math.max(1, at - performance.now()))
  }
}
