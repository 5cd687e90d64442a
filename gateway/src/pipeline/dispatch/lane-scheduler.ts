/**
 * Where the steps of one route wait in memory for their turn to be claimed and submitted: for the link, for the
 * route's rate, for room in the window, and for each other. Lanes take turns by weight, so an urgent step passes a
 * crowd of others and the others are never starved. One timer serves all who wait.
 */
import { lanes, type Lane } from '../../channels/lane.ts'
import type { AdaptiveRate } from './adaptive-rate.ts'

/** `expired`: its deadline passed before its turn came. `moved`: it is to go another way. */
export type Admission = 'go' | 'expired' | 'moved'

interface Entry<Job> {
  readonly job: Job
  readonly parts: number
  readonly dueAt: number
  readonly decide: (turn: Admission) => void
  readonly fail: (reason: Error) => void
}

export interface LaneSchedulerOptions {
  /** Parts that may be past the scheduler at once; a message of more parts goes alone. */
  readonly capacity: number
  readonly rate: AdaptiveRate
}

/** Parts a lane may send before the next lane has its turn. */
const quanta: Readonly<Record<Lane, number>> = { urgent: 16, normal: 4, bulk: 1 }
/** How far the route may run ahead after a pause in traffic. */
const burstMs = 100

export class LaneScheduler<Job> {
  readonly #capacity: number
  readonly #rate: AdaptiveRate
  readonly #waiting: Readonly<Record<Lane, Entry<Job>[]>> = { urgent: [], normal: [], bulk: [] }
  readonly #parts: Record<Lane, number> = { urgent: 0, normal: 0, bulk: 0 }
  readonly #credit: Record<Lane, number> = { urgent: 0, normal: 0, bulk: 0 }
  #turnOf = 0
  #inside = 0
  #nextAt = 0
  #closedUntil = Infinity
  #probes = Infinity
  #timer: NodeJS.Timeout | undefined
  #stopped: Error | undefined

  constructor({ capacity, rate }: LaneSchedulerOptions) {
    this.#capacity = capacity
    this.#rate = rate
  }

  /** Rejects only when the scheduler stops. After `go` the caller must `leave`. */
  enter(lane: Lane, job: Job, parts: number, dueAt: number): Promise<Admission> {
    if (this.#stopped !== undefined) return Promise.reject(this.#stopped)
    return new Promise((decide, fail) => {
      this.#waiting[lane].push({ job, parts, dueAt, decide, fail })
      this.#parts[lane] += parts
      this.#serve()
    })
  }

  leave(parts: number): void {
    this.#inside -= parts
    this.#serve()
  }

  /** Parts that wait in the lane. */
  waiting(lane: Lane): number {
    return this.#parts[lane]
  }

  /** Nothing passes until it is opened; `probes` parts at once may pass where few are to try the way. */
  open(probes = Infinity): void {
    this.#probes = probes
    if (this.#closedUntil === Infinity) this.#closedUntil = 0
    this.#serve()
  }

  close(): void {
    this.#closedUntil = Infinity
  }

  /** The carrier asked for a rest. */
  pause(ms: number): void {
    const until = performance.now() + ms
    if (until <= this.#closedUntil) return
    this.#closedUntil = until
    this.#nextAt = Math.max(this.#nextAt, until)
    this.#wakeAt(until)
  }

  /** Sends another way who may: their `enter` resolves with `moved`. */
  move(mayGo: (job: Job) => boolean): number {
    let moved = 0
    for (const lane of lanes) {
      const leaving = this.#waiting[lane].filter((entry) => mayGo(entry.job))
      if (leaving.length === 0) continue
      const gone = new Set(leaving)
      const staying = this.#waiting[lane].filter((entry) => !gone.has(entry))
      this.#waiting[lane].length = 0
      this.#waiting[lane].push(...staying)
      for (const entry of leaving) {
        this.#parts[lane] -= entry.parts
        entry.decide('moved')
      }
      moved += leaving.length
    }
    return moved
  }

  stop(reason: Error): void {
    this.#stopped = reason
    clearTimeout(this.#timer)
    for (const lane of lanes) {
      for (const entry of this.#waiting[lane].splice(0)) entry.fail(reason)
      this.#parts[lane] = 0
    }
  }

  #serve(): void {
    const now = performance.now()
    if (now < this.#closedUntil) {
      this.#dropExpired()
      // A timer may come a moment too early.
      if (this.#closedUntil !== Infinity) this.#wakeAt(this.#closedUntil)
      return
    }
    for (let lane = this.#nextLane(); lane !== undefined; lane = this.#nextLane()) {
      const entry = this.#waiting[lane][0]!
      if (Date.now() >= entry.dueAt) {
        this.#take(lane).decide('expired')
        continue
      }
      if (!this.#fits(entry.parts)) return
      const rate = this.#rate.value
      if (rate !== Infinity) {
        this.#nextAt = Math.max(this.#nextAt, now - burstMs)
        if (this.#nextAt > now) {
          this.#wakeAt(this.#nextAt)
          return
        }
        this.#nextAt += (entry.parts * 1000) / rate
      }
      this.#take(lane)
      this.#credit[lane] -= entry.parts
      this.#inside += entry.parts
      this.#rate.took(entry.parts)
      entry.decide('go')
    }
  }

  /** Deficit round robin over the lanes that have somebody waiting. */
  #nextLane(): Lane | undefined {
    if (lanes.every((lane) => this.#waiting[lane].length === 0)) return undefined
    for (;;) {
      const lane = lanes[this.#turnOf]!
      const first = this.#waiting[lane][0]
      if (first !== undefined && this.#credit[lane] >= first.parts) return lane
      // Credit is for those who wait: an empty lane must not save it up.
      if (first === undefined) this.#credit[lane] = 0
      this.#turnOf = (this.#turnOf + 1) % lanes.length
      const next = lanes[this.#turnOf]!
      if (this.#waiting[next].length > 0) this.#credit[next] += quanta[next]
    }
  }

  #take(lane: Lane): Entry<Job> {
    const entry = this.#waiting[lane].shift()!
    this.#parts[lane] -= entry.parts
    return entry
  }

  /** While nothing passes, those whose deadline is over need not wait for the way to open. */
  #dropExpired(): void {
    const now = Date.now()
    for (const lane of lanes) {
      while ((this.#waiting[lane][0]?.dueAt ?? Infinity) <= now) this.#take(lane).decide('expired')
    }
  }

  #fits(parts: number): boolean {
    return this.#inside === 0 || this.#inside + parts <= Math.min(this.#capacity, this.#probes)
  }

  #wakeAt(at: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#serve(), Math.max(1, at - performance.now()))
  }
}
