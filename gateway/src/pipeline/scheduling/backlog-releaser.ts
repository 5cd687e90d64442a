/**
 * Releases a route's waiting steps to its queue, by deficit round robin over the accounts of each lane, as far as the
 * queue has free capacity. Where a route has several owners, steps that wait for one share go to the others as far as
 * these have capacity that they do not need themselves, also while the queue of the share does not confirm. Only the
 * route's owner runs it, so the shares are remembered in one place. A job is in the queue before its row is removed. A step
 * that a rule of trust stops is not released: it waits until its time, or fails.
 */
import { weightOf, type SchedulingSettingsTable } from '../../accounts/scheduling-settings.ts'
import { stepId } from '../../jobs/step-key.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import { lanes, type Lane } from '../../channels/lane.ts'
import {
  countDueParts,
  findWaiters,
  readDueSteps,
  removeWaiting,
  type WaitingStep,
} from '../../records/waiting/waiting.ts'
import { publishStep, releasePlaced, type PlacedStep } from './release.ts'
import { placeDenied } from './place-denied.ts'
import { releaseOrPark, type ReleaseOrParkContext } from './release-or-park.ts'
import { FairShares } from './fair-shares.ts'
import { givenParts, reserveOf, type Siblings } from './siblings.ts'
import { clock } from '../../platform/clock.ts'
import type { StopOf } from '../../trust/stops/stops.ts'
import type { Denial } from '../../trust/rule-group.ts'

export interface BacklogReleaserContext extends ReleaseOrParkContext {
  readonly routeId: string
  readonly schedulingSettings: SchedulingSettingsTable
  /** What waits of a stopped account is not released. */
  readonly stopOf: StopOf
  /** Parts that the lane can take now. Parts in transit are not subtracted yet. */
  readonly freeCapacity: (lane: Lane) => number
  readonly siblings?: Siblings
  /** What stops the step now, by the rules of trust; null when nothing does. */
  readonly judge: (job: RouteJob) => Denial | null
}

/** Passes of one round: what accounts with few steps leave over is shared among the others. */
const maxPasses = 4
/** A job that has not reached this owner by then was consumed by another one. */
const transitTimeoutMs = 10_000

export class BacklogReleaser {
  readonly #context: BacklogReleaserContext
  readonly #shares: Readonly<Record<Lane, FairShares>> = {
    urgent: new FairShares(),
    normal: new FairShares(),
    bulk: new FairShares(),
  }
  /** Lanes on which steps wait; all of them until it is known. */
  readonly #backlog = new Set(lanes)
  /** Jobs that were released and have not reached the route's consumer yet. */
  readonly #inTransit = new Map<
    string,
    { readonly lane: Lane; readonly parts: number; readonly at: number }
  >()

  #received = 0

  constructor(context: BacklogReleaserContext) {
    this.#context = context
  }

  /** Whether steps of the lane wait in the table: new ones must then queue behind them. */
  hasBacklog(lane: Lane): boolean {
    return this.#backlog.has(lane)
  }

  /** Reports on which lanes steps wait. */
  set backlog(waiting: ReadonlySet<Lane>) {
    for (const lane of lanes) this.#setBacklog(lane, waiting.has(lane))
  }

  /** Jobs that have reached the route's consumer so far. */
  get received(): number {
    return this.#received
  }

  /** Reports that a released job has reached the route's consumer. */
  arrived(job: RouteJob): void {
    this.#received++
    if (this.#inTransit.size > 0) this.#inTransit.delete(stepId(job))
  }

  /** Parts in transit to the lane's consumer. */
  inTransit(lane: Lane): number {
    this.#dropTimedOut()
    let parts = 0
    for (const entry of this.#inTransit.values()) if (entry.lane === lane) parts += entry.parts
    return parts
  }

  /** One round over the lanes with a backlog; returns how many steps were released. */
  async round(): Promise<number> {
    let released = 0
    const { publisher, topology, routeId, siblings } = this.#context
    const acceptsOwn = publisher.accepts(topology.queueOf(routeId))
    for (const lane of lanes) {
      if (this.#backlog.has(lane) && acceptsOwn) released += await this.#releaseLane(lane)
      if (this.#backlog.has(lane) && siblings !== undefined && siblings.ids.length > 0)
        released += await this.#giveTo(siblings, lane)
    }
    return released
  }

  /** No more capacity is reserved than steps wait: the rest is for what other processes place. */
  async #giveTo(siblings: Siblings, lane: Lane): Promise<number> {
    const { database, routeId } = this.#context
    let released = 0
    let waiting = await countDueParts(database, routeId, lane, clock.date(), givenParts.max)
    for (const id of siblings.ids) {
      if (waiting === 0 || !this.#backlog.has(lane)) break
      const parts = reserveOf(this.#context, siblings, id, lane, waiting)
      if (parts === 0) continue
      released += await this.#releaseLane(lane, { id, parts })
      // When as many wait as were counted, there may be more.
      if (waiting < givenParts.max) waiting = Math.max(0, waiting - parts)
    }
    return released
  }

  /** `to`: another share that takes so many parts. */
  async #releaseLane(lane: Lane, to?: { readonly id: string; readonly parts: number }): Promise<number> {
    const { database, routeId, schedulingSettings, stopOf } = this.#context
    let released = 0
    let left = to?.parts ?? 0
    const done = new Set<number>()
    for (let pass = 0; pass < maxPasses; pass++) {
      const now = clock.date()
      const found = await findWaiters(database, routeId, lane, now)
      const accounts = found.filter((accountId) => stopOf(accountId) === undefined)
      this.#setBacklog(lane, accounts.length > 0)
      const waiters = accounts
        .filter((accountId) => !done.has(accountId))
        .map((accountId) => ({
          accountId,
          weight: weightOf(schedulingSettings, accountId),
        }))
      const capacity = to === undefined ? this.#context.freeCapacity(lane) - this.inTransit(lane) : left
      const shares = this.#shares[lane].share(waiters, capacity)
      if (shares.size === 0) break
      const steps = this.#fitToShares(lane, await readDueSteps(database, routeId, lane, shares, now), shares)
      await releaseOrPark(this.#context, steps, (batch) => this.#release(lane, batch, to?.id))
      released += steps.length
      const served = new Map<number, number>()
      for (const { accountId, parts } of steps) {
        served.set(accountId, (served.get(accountId) ?? 0) + parts)
        left -= parts
      }
      // An account that did not use its share has no more steps now, or its next message is too long for it.
      const before = done.size
      for (const [id, share] of shares) if ((served.get(id) ?? 0) < share) done.add(id)
      if (done.size === before) break
    }
    return released
  }

  /** A share counts parts, and a step has one or more: steps beyond their account's share keep waiting. */
  #fitToShares(
    lane: Lane,
    steps: readonly WaitingStep[],
    shares: ReadonlyMap<number, number>,
  ): WaitingStep[] {
    const left = new Map(shares)
    return steps.filter(({ accountId, parts }) => {
      const rest = left.get(accountId) ?? 0
      // A message of more parts than a whole share is released when anything is left; later shares pay for it.
      if (rest <= 0) return false
      left.set(accountId, rest - parts)
      if (rest < parts) this.#shares[lane].correct(accountId, rest - parts)
      return true
    })
  }

  async #release(
    lane: Lane,
    steps: readonly WaitingStep[],
    to: string = this.#context.routeId,
  ): Promise<void> {
    const at = performance.now()
    const denied: PlacedStep[] = []
    const jobs = steps.flatMap(({ job, parts }) => {
      if (job === null) return []
      const denial = this.#context.judge(job)
      if (denial === null) return [{ job, parts }]
      denied.push({ job, placement: placeDenied(job, { lane, parts }, denial) })
      return []
    })
    const isOwn = to === this.#context.routeId
    for (const { job, parts } of jobs) if (isOwn) this.#inTransit.set(stepId(job), { lane, parts, at })
    try {
      await Promise.all(jobs.map(({ job }) => publishStep(this.#context, to, lane, job)))
    } catch (error) {
      for (const { job } of jobs) this.#inTransit.delete(stepId(job))
      throw error
    }
    const held = await releasePlaced(this.#context, denied)
    await removeWaiting(
      this.#context.database,
      held.size === 0 ? steps : steps.filter(({ msgKey }) => !held.has(msgKey)),
    )
  }

  #setBacklog(lane: Lane, waits: boolean): void {
    if (waits) this.#backlog.add(lane)
    else this.#backlog.delete(lane)
  }

  #dropTimedOut(): void {
    if (this.#inTransit.size === 0) return
    const before = performance.now() - transitTimeoutMs
    for (const [id, { at }] of this.#inTransit) if (at < before) this.#inTransit.delete(id)
  }
}
