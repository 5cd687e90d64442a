/**
 * Releases a route's waiting steps to its queue, by deficit round robin over the accounts of each lane, as far as the
 * queue has free capacity. Where a route has several owners, steps that wait for one share go to the others as far as
 * these have capacity that they do not need themselves, also while the queue of the share does not confirm. Only the
 * route's owner runs it, so the shares are remembered in one place. A job is in the queue before its row is removed. A step
 * that a rule of trust stops is not released: it waits until its time, or fails. Nor is one whose deadline passes before its
 * account's turns in the queue come to it: it would take the place of one that can still be sent. It ends at its deadline.
 */
import { weightOf, type SchedulingSettingsTable } from '../../accounts/scheduling-settings.ts'
import { stepId } from '../../jobs/step-key.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import { lanes, type Lane } from '../../channels/lane.ts'
import { countDueParts, findWaiters } from '../../records/waiting/find-waiting.ts'
import { readDueSteps } from '../../records/waiting/read-waiting.ts'
import type { WaitingStep } from '../../records/waiting/waiting-step.ts'
import { removeEndingSoon, removeWaiting } from '../../records/waiting/write-waiting.ts'
import { publishStep, releasePlaced, type PlacedStep } from './release.ts'
import { placeDenied } from './place-denied.ts'
import { releaseOrPark, type ReleaseOrParkContext } from './release-or-park.ts'
import { FairShares } from './fair-shares.ts'
import { givenParts, reserveOf, type Siblings } from './siblings.ts'
import { clock } from '../../platform/clock.ts'
import type { StopOf } from '../../trust/stops/stops.ts'
import type { Denial } from '../../trust/rule-group.ts'

/** How long a step of the account that is released to a lane now waits in the queue, at least. In milliseconds. */
export type MinWaits = (accountId: number) => number

export interface BacklogReleaserContext extends ReleaseOrParkContext {
  readonly routeId: string
  readonly schedulingSettings: SchedulingSettingsTable
  /** What waits of a stopped account is not released. */
  readonly stopOf: StopOf
  /** Parts that the lane can take now. Parts in transit are not subtracted yet. */
  readonly freeCapacity: (lane: Lane) => number
  /** Undefined while they are not known. */
  readonly minWaits?: (lane: Lane) => MinWaits | undefined
  readonly siblings?: Siblings
  /** What stops the step now, by the rules of trust; null when nothing does. */
  readonly judge: (job: RouteJob) => Denial | null
}

/** Passes of one round: what accounts with few steps leave over is shared among the others. */
const maxPasses = 4
/** Passes of one round with steps that end before they could be sent: others take their place. */
const maxEndedPasses = 4
/** Steps of a lane that are looked at together when the first ones end before they could be sent, and how often in a pass. */
const endingSoon = { steps: 2_000, times: 5 }
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
    { readonly accountId: number; readonly lane: Lane; readonly parts: number; readonly at: number }
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

  /** Adds them to the parts of their accounts. */
  addInTransit(lane: Lane, partsOf: Map<number, number>): void {
    this.#dropTimedOut()
    for (const { accountId, parts, lane: its } of this.#inTransit.values())
      if (its === lane) partsOf.set(accountId, (partsOf.get(accountId) ?? 0) + parts)
  }

  /** One round over the lanes with a backlog; returns how many steps were released. */
  async round(): Promise<number> {
    let released = 0
    const { publisher, topology, routeId, siblings } = this.#context
    const acceptsOwn = publisher.accepts(topology.queueOf(routeId))
    for (const lane of lanes) {
      if (!this.#backlog.has(lane)) continue
      // What this share cannot send in time another one may: it is given first, and none is left out while more could be.
      const givesFirst = this.#context.minWaits?.(lane) !== undefined
      const given = givesFirst ? await this.#giveTo(siblings, lane) : 0
      released += given
      if (this.#backlog.has(lane) && acceptsOwn)
        released += await this.#releaseLane(lane, undefined, given < givenParts.max)
      if (!givesFirst) released += await this.#giveTo(siblings, lane)
    }
    return released
  }

  /** No more capacity is reserved than steps wait: the rest is for what other processes place. */
  async #giveTo(siblings: Siblings | undefined, lane: Lane): Promise<number> {
    if (!this.#backlog.has(lane) || siblings === undefined || siblings.ids.length === 0) return 0
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

  /** `to`: another share that takes so many parts. `leavesOut`: steps that end before they could be sent. */
  async #releaseLane(
    lane: Lane,
    to?: { readonly id: string; readonly parts: number },
    leavesOut = false,
  ): Promise<number> {
    const { database, routeId, schedulingSettings, stopOf } = this.#context
    let released = 0
    let left = to?.parts ?? 0
    const done = new Set<number>()
    let [passes, endedPasses] = [0, 0]
    while (passes < maxPasses && endedPasses < maxEndedPasses) {
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
      // By a clock that may be wrong nothing is left out: what is removed is not sent when the clock is corrected.
      const minWaits = leavesOut && clock.agrees ? this.#context.minWaits?.(lane) : undefined
      const endedBy = new Map<number, Date>()
      if (minWaits !== undefined)
        for (const id of shares.keys()) endedBy.set(id, new Date(now.getTime() + minWaits(id)))
      const due = await readDueSteps(database, routeId, lane, shares, now, { endedBy })
      const steps = this.#fitToShares(lane, due, shares)
      await releaseOrPark(this.#context, steps, (batch) => this.#release(lane, batch, to?.id))
      const served = new Map<number, number>()
      let ended = 0
      for (const { accountId, parts, job } of steps) {
        served.set(accountId, (served.get(accountId) ?? 0) + parts)
        if (job === null) ended++
        else left -= parts
      }
      released += steps.length - ended
      if (ended > 0) endedPasses++
      else passes++
      if (ended > 0 && endedBy.size > 0) await this.#skip(lane, now, endedBy)
      // An account that did not use its share has no more steps now, or its next message is too long for it.
      const before = done.size
      for (const [id, share] of shares) if ((served.get(id) ?? 0) < share) done.add(id)
      if (done.size === before && ended === 0) break
    }
    return released
  }

  /** Under overload many more than the queue has capacity for end before they could be sent. */
  async #skip(lane: Lane, now: Date, endedBy: ReadonlyMap<number, Date>): Promise<void> {
    const { database, routeId } = this.#context
    const perAccount = Math.ceil(endingSoon.steps / endedBy.size)
    for (let times = 0; times < endingSoon.times; times++) {
      const found = { now, perAccount }
      if ((await removeEndingSoon(database, routeId, lane, endedBy, found)) < endingSoon.steps / 2) return
    }
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
    for (const { job, parts } of jobs)
      if (isOwn) {
        const { accountId } = job
        this.#inTransit.set(stepId(job), { accountId, lane, parts, at })
      }
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
