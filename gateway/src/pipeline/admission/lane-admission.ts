/**
 * One lane as an API process sees it: what waits in it, what accounts ask for here and at other API processes, the limit that
 * follows, and this process's part of it. Times are monotonic milliseconds.
 */
import type { Lane } from '../../channels/lane.ts'
import type { Published } from '../../platform/broker/publish.ts'
import type { Log } from '../../platform/log.ts'
import { AccountShares } from './account-shares.ts'
import { LaneLimit } from './lane-limit.ts'
import type { LaneReport } from './lane-progress.ts'
import { LaneWatch, type LaneView } from './lane-watch.ts'
import { fairLevel, sumOf, type WeightedDemand } from './max-min.ts'
import { PeerTotals } from './peer-totals.ts'
import { QueueSize, plus } from './queue-size.ts'

/** An API process reports five times a second while accounts send; without a report for this long it has no demand. */
const staleMs = 1_500
const idleMs = 5_000

interface Peer {
  readonly demands: readonly WeightedDemand[]
  readonly atMs: number
}

export class LaneAdmission {
  readonly shares = new AccountShares()
  readonly #size = new QueueSize()
  readonly #published = new PeerTotals()
  readonly #watch = new LaneWatch()
  readonly #limit = new LaneLimit()
  readonly #peers = new Map<string, Peer>()
  readonly #lane: Lane
  readonly #log: Log
  #busyAtMs = -Infinity
  #held = 0
  #limited = false

  constructor(lane: Lane, log: Log) {
    this.#lane = lane
    this.#log = log
  }

  /** A worker holds or has recorded messages of the lane. */
  intake(process: string, report: LaneReport, nowMs: number): void {
    this.#watch.report(process, report, nowMs)
    this.#busyAtMs = nowMs
  }

  /** What accounts ask for at another API process. */
  others(process: string, demands: readonly WeightedDemand[], nowMs: number): void {
    this.#peers.set(process, { demands, atMs: nowMs })
  }

  /** What another API process has published to the lane since it started, and what it had when it last reported. */
  publishedByOther(process: string, totals: Published, before: Published, nowMs: number): void {
    this.#published.report(process, totals, before, nowMs)
  }

  /** By all API processes, given what this one has published. Ask for it before the depth, and for every use. */
  publishedByAll(own: Published): Published {
    return plus(own, this.#published.sum)
  }

  /** The depth in groups, and what had been published when it was asked for. */
  depth(groups: number, published: Published, nowMs: number): void {
    this.#size.depth(groups, published)
    this.#watch.depth(this.#size.messages, nowMs)
    if (groups > 0) this.#busyAtMs = nowMs
  }

  /** What the lane holds of the reserve at most; the broker keeps what workers hold, but not as waiting. */
  use(published: Published): { readonly messages: number; readonly bytes: number } {
    const { messages, bytes } = this.#size.atMost(published)
    return { messages: messages + this.#held, bytes: bytes + this.#size.bytesOf(this.#held) }
  }

  /** Nothing waits, and nothing was sent or recorded lately. */
  isIdle(nowMs: number): boolean {
    return nowMs - this.#busyAtMs > idleMs
  }

  stalledMs(nowMs: number): number {
    return this.#watch.stalledMs(nowMs)
  }

  /** Calculates the limit of this process from what is known now. */
  update(nowMs: number): { readonly view: LaneView; readonly demands: WeightedDemand[] } {
    const view = this.#watch.view(nowMs)
    this.#held = view.held
    const demands = this.shares.demands(nowMs)
    if (sumOf(demands, 'demand') >= 1) this.#busyAtMs = nowMs
    for (const [process, { atMs }] of this.#peers) if (nowMs - atMs > staleMs) this.#peers.delete(process)
    const all = [...demands, ...[...this.#peers.values()].flatMap((peer) => peer.demands)]
    const limit = this.#limit.next(view, sumOf(all, 'demand'), nowMs)
    if (limit === undefined) this.shares.setLimit(undefined, nowMs)
    else {
      const part = partOf(limit, demands, all)
      this.shares.setLimit(part, nowMs, (part * this.#limit.capacity) / limit)
    }
    this.#logChange(limit, view)
    return { view, demands }
  }

  #logChange(limit: number | undefined, { ageMs, messages }: LaneView): void {
    if ((limit !== undefined) === this.#limited) return
    this.#limited = limit !== undefined
    const fields = { lane: this.#lane, ageMs: Math.round(ageMs), messages: Math.round(messages) }
    if (this.#limited) {
      this.#log.warn(
        fields,
        'messages are accepted faster than they are recorded; accounts above their share get 429. Add workers or look at PostgreSQL if this lasts',
      )
    } else this.#log.info(fields, 'messages are recorded as fast as they are accepted again')
  }
}

/** The part of a limit that one process may admit: the shares of its accounts at one level over all processes. */
function partOf(limit: number, own: readonly WeightedDemand[], all: readonly WeightedDemand[]): number {
  const level = fairLevel(limit, all)
  const shares = own.reduce((sum, { demand, weight }) => sum + Math.min(demand, level * weight), 0)
  // At least one level, for an account that begins to send here; all of it when nobody needs to be refused.
  return Math.min(limit, level === Infinity ? limit : Math.max(level, shares))
}
