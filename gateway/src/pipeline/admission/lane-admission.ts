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
import { fairLevel, sumOf, type Claimant } from './max-min.ts'
import { QueueSize } from './queue-size.ts'

/** An API process reports five times a second while accounts send; without a report for this long it has no demand. */
const staleMs = 1_500
const idleMs = 5_000

interface Peer {
  readonly claims: readonly Claimant[]
  readonly atMs: number
}

export class LaneAdmission {
  readonly shares = new AccountShares()
  readonly size = new QueueSize()
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
  others(process: string, claims: readonly Claimant[], nowMs: number): void {
    this.#peers.set(process, { claims, atMs: nowMs })
  }

  /** The depth in groups, and what this process had published when it asked for it. */
  depth(groups: number, published: Published, nowMs: number): void {
    this.size.depth(groups, published)
    this.#watch.depth(this.size.messages, nowMs)
    if (groups > 0) this.#busyAtMs = nowMs
  }

  /** Messages that workers have taken and not recorded yet: the broker keeps them, but not as waiting. */
  get held(): number {
    return this.#held
  }

  /** Nothing waits, and nothing was sent or recorded lately. */
  isIdle(nowMs: number): boolean {
    return nowMs - this.#busyAtMs > idleMs
  }

  stalledMs(nowMs: number): number {
    return this.#watch.stalledMs(nowMs)
  }

  /** Calculates the limit of this process from what is known now. */
  update(nowMs: number): { readonly view: LaneView; readonly claims: Claimant[] } {
    const view = this.#watch.view(nowMs)
    this.#held = view.held
    const claims = this.shares.claims(nowMs)
    if (sumOf(claims, 'demand') >= 1) this.#busyAtMs = nowMs
    for (const [process, { atMs }] of this.#peers) if (nowMs - atMs > staleMs) this.#peers.delete(process)
    const all = [...claims, ...[...this.#peers.values()].flatMap((peer) => peer.claims)]
    const limit = this.#limit.next(view, sumOf(all, 'demand'), nowMs)
    if (limit === undefined) this.shares.setLimit(undefined, nowMs)
    else {
      const part = partOf(limit, claims, all)
      this.shares.setLimit(part, nowMs, (part * this.#limit.capacity) / limit)
    }
    this.#logChange(limit, view)
    return { view, claims }
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
function partOf(limit: number, own: readonly Claimant[], all: readonly Claimant[]): number {
  const level = fairLevel(limit, all)
  const shares = own.reduce((sum, { demand, weight }) => sum + Math.min(demand, level * weight), 0)
  // At least one level, for an account that begins to send here; all of it when nobody needs to be refused.
  return Math.min(limit, level === Infinity ? limit : Math.max(level, shares))
}
