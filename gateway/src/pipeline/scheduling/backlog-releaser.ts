/**
 * Releases a route's waiting steps to its queue, by deficit round robin over accounts within each lane, as far as
 * there is room. Run by the route's owner alone, so that the shares have one memory. A job is in the queue before its
 * row goes.
 */
import { plainTraffic, type TrafficTable } from '../../accounts/traffic.ts'
import { stepId } from '../../jobs/step-key.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import { lanes, type Lane } from '../../channels/lane.ts'
import { findWaiters, readTurns, removeWaiting, type WaitingStep } from '../../records/waiting/waiting.ts'
import { publishStep, type ReleaseContext } from './release.ts'
import { FairShares } from './fair-shares.ts'

export interface BacklogReleaserContext extends ReleaseContext {
  readonly routeId: string
  readonly traffic: TrafficTable
  /** Parts that fit into the lane now, besides those on their way. */
  readonly roomIn: (lane: Lane) => number
}

/** Passes of one round: what accounts with little to send leave over is shared among the others. */
const maxPasses = 4
/** A job that has not come back to its owner by then went to another. */
const forgetMs = 10_000

export class BacklogReleaser {
  readonly #context: BacklogReleaserContext
  readonly #shares: Readonly<Record<Lane, FairShares>> = {
    urgent: new FairShares(),
    normal: new FairShares(),
    bulk: new FairShares(),
  }
  readonly #backlog: Record<Lane, boolean> = { urgent: true, normal: true, bulk: true }
  /** Released and not yet seen by the route's consumer. */
  readonly #onTheWay = new Map<string, { readonly lane: Lane; readonly parts: number; readonly at: number }>()

  constructor(context: BacklogReleaserContext) {
    this.#context = context
  }

  /** Whether steps of the lane wait in the record: others must then queue behind them. */
  hasBacklog(lane: Lane): boolean {
    return this.#backlog[lane]
  }

  /** A released job has reached the route's consumer. */
  arrived(job: RouteJob): void {
    if (this.#onTheWay.size > 0) this.#onTheWay.delete(stepId(job))
  }

  onTheWay(lane: Lane): number {
    let parts = 0
    for (const entry of this.#onTheWay.values()) if (entry.lane === lane) parts += entry.parts
    return parts
  }

  /** One round over all lanes; returns how many steps were released. */
  async round(): Promise<number> {
    this.#forget()
    let released = 0
    for (const lane of lanes) released += await this.#releaseLane(lane)
    return released
  }

  async #releaseLane(lane: Lane): Promise<number> {
    const { database, routeId, traffic } = this.#context
    let released = 0
    const done = new Set<number>()
    for (let pass = 0; pass < maxPasses; pass++) {
      const now = new Date()
      const accounts = await findWaiters(database, routeId, lane, now)
      this.#backlog[lane] = accounts.length > 0
      const waiters = accounts
        .filter((accountId) => !done.has(accountId))
        .map((accountId) => ({ accountId, weight: (traffic.value.get(accountId) ?? plainTraffic).weight }))
      const room = this.#context.roomIn(lane) - this.onTheWay(lane)
      const shares = this.#shares[lane].share(waiters, room)
      if (shares.size === 0) break
      const steps = this.#cut(lane, await readTurns(database, routeId, lane, shares, now), shares)
      await this.#release(lane, steps)
      released += steps.length
      const served = new Map<number, number>()
      for (const { accountId, parts } of steps) served.set(accountId, (served.get(accountId) ?? 0) + parts)
      // Who did not use its share has nothing more now, or a message too long for it.
      const before = done.size
      for (const [id, share] of shares) if ((served.get(id) ?? 0) < share) done.add(id)
      if (done.size === before) break
    }
    return released
  }

  /** A share counts parts, and a step has one or more: what does not fit any more waits. */
  #cut(lane: Lane, steps: readonly WaitingStep[], shares: ReadonlyMap<number, number>): WaitingStep[] {
    const left = new Map(shares)
    return steps.filter(({ accountId, parts }) => {
      const rest = left.get(accountId) ?? 0
      // A message of more parts than a whole share goes when there is anything left, and is paid for later.
      if (rest <= 0) return false
      left.set(accountId, rest - parts)
      if (rest < parts) this.#shares[lane].correct(accountId, rest - parts)
      return true
    })
  }

  async #release(lane: Lane, steps: readonly WaitingStep[]): Promise<void> {
    const at = Date.now()
    const jobs = steps.flatMap(({ job, parts }) => (job === null ? [] : [{ job, parts }]))
    for (const { job, parts } of jobs) this.#onTheWay.set(stepId(job), { lane, parts, at })
    try {
      await Promise.all(jobs.map(({ job }) => publishStep(this.#context, this.#context.routeId, lane, job)))
    } catch (error) {
      for (const { job } of jobs) this.#onTheWay.delete(stepId(job))
      throw error
    }
    await removeWaiting(this.#context.database, steps)
  }

  #forget(): void {
    const before = Date.now() - forgetMs
    for (const [id, { at }] of this.#onTheWay) if (at < before) this.#onTheWay.delete(id)
  }
}
