/**
 * Limits what the intake queue holds while nothing is recorded (the reserve): in messages, in bytes, and in the time
 * without a record. Bulk messages may use half of each limit, normal ones four fifths, and urgent ones all of it,
 * because they are few and lose their value by waiting.
 */
import { lanes, type Lane } from '../../channels/lane.ts'
import type { PublishedCounts } from '../../platform/broker/publish.ts'

export interface ReserveLimits {
  readonly messages: number
  readonly bytes: number
  readonly minutes: number
}

const fractions: Readonly<Record<Lane, number>> = { urgent: 1, normal: 0.8, bulk: 0.5 }
/** A group is one broker message with several jobs. This is its size if this process has published none. */
const assumed: PublishedCounts = { groups: 1, jobs: 1, bytes: 500 }
const keptAgeMs = 2_000

/**
 * Estimates the content of one lane. The broker reports only the number of groups that no worker holds. Their jobs and
 * bytes are estimated from the mean group that this process published since the lane was last empty.
 */
export class LaneContent {
  #groups = 0
  #published: PublishedCounts = { groups: 0, jobs: 0, bytes: 0 }
  #publishedWhenEmpty = this.#published
  #ageMs = 0
  /** Time of the last record, or when the lane began to fill. */
  #progressAtMs = -Infinity

  /** Sets the depth of the queue. The caller reads `published` before the depth. */
  setDepth(groups: number, published: PublishedCounts, nowMs: number): void {
    if (this.#groups === 0 && groups > 0) this.#progressAtMs = Math.max(this.#progressAtMs, nowMs)
    if (groups === 0) this.#publishedWhenEmpty = published
    this.#groups = groups
    this.#published = published
  }

  /** Notes that messages of this age were just recorded. */
  setRecorded(ageMs: number, nowMs: number): void {
    this.#ageMs = ageMs
    this.#progressAtMs = nowMs
  }

  get messages(): number {
    return this.#estimate('jobs')
  }

  get bytes(): number {
    return this.#estimate('bytes')
  }

  /** Returns for how long nothing was recorded although messages wait. */
  stalledMs(nowMs: number): number {
    return this.#groups === 0 ? 0 : nowMs - this.#progressAtMs
  }

  /**
   * Estimates the time from acceptance to record: the last measured age plus the time since. An empty lane keeps its
   * last age for `keptAgeMs`, then it is 0.
   */
  ageMs(nowMs: number): number {
    const silentMs = nowMs - this.#progressAtMs
    if (this.#groups === 0) return silentMs < keptAgeMs ? this.#ageMs : 0
    return this.#ageMs + silentMs
  }

  #estimate(field: 'jobs' | 'bytes'): number {
    const groups = this.#published.groups - this.#publishedWhenEmpty.groups
    const sum = this.#published[field] - this.#publishedWhenEmpty[field]
    return this.#groups * (groups > 0 ? sum / groups : assumed[field])
  }
}

/** Returns true if the lane must not accept more messages. All lanes share the disk of the broker. */
export function isUsedUp(
  lane: Lane,
  contents: Readonly<Record<Lane, LaneContent>>,
  limits: ReserveLimits,
  nowMs: number,
): boolean {
  const fraction = fractions[lane]
  const sum = (field: 'messages' | 'bytes'): number =>
    lanes.reduce((total, one) => total + contents[one][field], 0)
  return (
    sum('messages') >= limits.messages * fraction ||
    sum('bytes') >= limits.bytes * fraction ||
    contents[lane].stalledMs(nowMs) >= limits.minutes * 60_000 * fraction
  )
}
