/**
 * Limits the first queue while nothing of it is recorded: in messages, in bytes and in time. Bulk messages may use half of each
 * limit, normal ones four fifths and urgent ones all of it: they are few and lose their value by waiting.
 */
import { lanes, type Lane } from '../../channels/lane.ts'
import type { Published } from '../../platform/broker/publish.ts'

export interface ReserveBounds {
  readonly messages: number
  readonly bytes: number
  readonly minutes: number
}

const fractions: Readonly<Record<Lane, number>> = { urgent: 1, normal: 0.8, bulk: 0.5 }
/** The size of a group if this process has published none. */
const assumed: Published = { groups: 1, jobs: 1, bytes: 500 }

/**
 * Estimates the content of one lane. The broker counts groups that no worker holds. Their size is the mean of the groups that this
 * process published since the lane was last empty.
 */
export class LaneContent {
  #groups = 0
  #published: Published = { groups: 0, jobs: 0, bytes: 0 }
  #publishedWhenEmpty = this.#published
  #ageMs = 0
  /** The time of the last record, or when the lane began to fill. */
  #progressAtMs = -Infinity

  /** `published` must be read before the depth. */
  setDepth(groups: number, published: Published, nowMs: number): void {
    if (this.#groups === 0 && groups > 0) this.#progressAtMs = Math.max(this.#progressAtMs, nowMs)
    if (groups === 0) this.#publishedWhenEmpty = published
    this.#groups = groups
    this.#published = published
  }

  setRecorded(ageMs: number, nowMs: number): void {
    this.#ageMs = ageMs
    this.#progressAtMs = nowMs
  }

  get messages(): number {
    return this.#times('jobs')
  }

  get bytes(): number {
    return this.#times('bytes')
  }

  /** Time for which nothing was recorded although messages wait. */
  stalledMs(nowMs: number): number {
    return this.#groups === 0 ? 0 : nowMs - this.#progressAtMs
  }

  /** Time from accept to record of the messages that intake receives now. */
  ageMs(nowMs: number): number {
    const silentMs = nowMs - this.#progressAtMs
    if (this.#groups === 0) return silentMs < 2_000 ? this.#ageMs : 0
    return this.#ageMs + silentMs
  }

  #times(what: 'jobs' | 'bytes'): number {
    const groups = this.#published.groups - this.#publishedWhenEmpty.groups
    const sum = this.#published[what] - this.#publishedWhenEmpty[what]
    return this.#groups * (groups > 0 ? sum / groups : assumed[what])
  }
}

/** Returns true if the lane must not accept more messages. All lanes share the disk of the broker. */
export function isUsedUp(
  lane: Lane,
  contents: Readonly<Record<Lane, LaneContent>>,
  bounds: ReserveBounds,
  nowMs: number,
): boolean {
  const fraction = fractions[lane]
  const sum = (what: 'messages' | 'bytes'): number =>
    lanes.reduce((total, one) => total + contents[one][what], 0)
  return (
    sum('messages') >= bounds.messages * fraction ||
    sum('bytes') >= bounds.bytes * fraction ||
    contents[lane].stalledMs(nowMs) >= bounds.minutes * 60_000 * fraction
  )
}
