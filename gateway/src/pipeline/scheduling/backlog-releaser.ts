import {
  getAccountWeight,
  type SchedulingSettingsTable,
} from '../../identity/accounts/scheduling-settings.ts'
import { lanes, type Lane } from '../../channels/lane.ts'
import type { StepJob } from '../../jobs/jobs.ts'
import { clock } from '../../platform/time/clock.ts'
import { countDueParts, findWaitingAccountIds } from '../../records/waiting/find-waiting.ts'
import { readDueSteps } from '../../records/waiting/read-waiting.ts'
import type { WaitingStep } from '../../records/waiting/waiting-step.ts'
import { removeEndingSoon } from '../../records/waiting/write-waiting.ts'
import type { RouteStates } from '../../carriers/routes/states.ts'
import type { RuleDecision } from '../../trust/rule-group.ts'
import type { GetBlock } from '../../trust/blocked-accounts/blocked-accounts.ts'
import { createFairShares } from './fair-shares.ts'
import { InTransit } from './in-transit.ts'
import { decideDeniedPlacement, type Placement } from './place.ts'
import { releaseSteps, type ReleaseOrParkContext } from './release-waiting.ts'
import { publishStep, releasePlaced, type PlacedStep } from './release.ts'

/** Returns the minimum queue wait, in milliseconds, of a step of the account that is released now. */
export type MinWaits = (accountId: number) => number

export interface BacklogReleaserContext extends ReleaseOrParkContext {
  readonly routeId: string
  readonly schedulingSettings: SchedulingSettingsTable
  /** Returns the block of an account; steps of blocked accounts are not released. */
  readonly getBlock: GetBlock
  /** Returns the parts that the lane can take now; parts in transit are not subtracted. */
  readonly freeCapacity: (lane: Lane) => number
  /** Returns undefined while the waits are unknown. */
  readonly minWaits?: (lane: Lane) => MinWaits | undefined
  /** The other shares of the route, and their published capacity. */
  readonly siblings?: {
    readonly ids: readonly string[]
    readonly states: Pick<RouteStates, 'reserveCapacity'>
  }
  /** Returns the trust rule that stops the step now, or null. */
  readonly checkRules: (job: StepJob) => RuleDecision | null
}

/** Share that receives steps. */
interface Target {
  readonly shareId: string
  /** Returns the parts that it can receive now, after `usedParts` of this round. */
  readonly capacity: (usedParts: number) => number
}

/** Maximum passes per round; capacity unused by accounts with few or expiring steps goes to the others. */
const maxPasses = 8
/**
 * Maximum steps of a lane that are checked together after some were found to end before they could be sent.
 */
const maxEndingSoon = 2_000
/**
 * Parts that a sibling receives in a round; fewer than `min` only if no more wait, because each transfer
 * costs statements.
 */
const transferredParts = { min: 10, max: 1_000 }

/**
 * Releases a route's waiting steps to its queue, by deficit round robin over the accounts of each lane, as far as the queue
 * has free capacity. If a route has several owners, steps that wait for one share also go to the other shares, as far as
 * these have spare capacity. Only the owner of the share runs it, so the deficits are kept in one place. The states of a step
 * are in `release-waiting.ts`.
 */
export class BacklogReleaser {
  readonly #context: BacklogReleaserContext
  readonly #shares = createFairShares()
  /** Lanes on which steps wait; all lanes until it is known. */
  #backlog = new Set(lanes)
  readonly #inTransit = new InTransit()
  #received = 0

  constructor(context: BacklogReleaserContext) {
    this.#context = context
  }

  get hasAnyBacklog(): boolean {
    return this.#backlog.size > 0
  }

  /** Reports whether steps of the lane wait in the table; new ones must then queue behind them. */
  hasBacklog(lane: Lane): boolean {
    return this.#backlog.has(lane)
  }

  set backlog(waiting: ReadonlySet<Lane>) {
    this.#backlog = new Set(waiting)
  }

  /** Number of jobs that have reached the route's consumer so far. */
  get received(): number {
    return this.#received
  }

  /** Must be called when a job has reached the route's consumer. */
  recordArrival(job: StepJob): void {
    this.#received++
    this.#inTransit.remove(job)
  }

  /** Returns the number of parts in transit to the lane's consumer. */
  inTransit(lane: Lane): number {
    return this.#inTransit.parts(lane)
  }

  /** Adds the parts in transit to those of their accounts. */
  addInTransit(lane: Lane, partsByAccount: Map<number, number>): void {
    this.#inTransit.addTo(lane, partsByAccount)
  }

  /** Releases steps of every lane with a backlog; returns their number. */
  async round(): Promise<number> {
    let released = 0
    for (const lane of lanes) if (this.#backlog.has(lane)) released += await this.#releaseLane(lane)
    return released
  }

  async #releaseLane(lane: Lane): Promise<number> {
    if (this.#context.minWaits?.(lane) === undefined)
      return (await this.#releaseToThisShare(lane, false)) + (await this.#releaseToSiblings(lane))
    // Siblings come first, because they may still send in time what this share cannot. No step is dropped
    // while they take more.
    const transferred = await this.#releaseToSiblings(lane)
    return transferred + (await this.#releaseToThisShare(lane, transferred < transferredParts.max))
  }

  async #releaseToThisShare(lane: Lane, dropsEndingSoon: boolean): Promise<number> {
    const { publisher, topology, routeId, freeCapacity } = this.#context
    if (!this.#backlog.has(lane) || !publisher.accepts(topology.getQueue(routeId))) return 0
    const capacity = (): number => freeCapacity(lane) - this.inTransit(lane)
    return this.#releaseTo({ shareId: routeId, capacity }, lane, dropsEndingSoon)
  }

  /** Reserves only capacity that waiting steps use, because the rest is for steps that other processes place. */
  async #releaseToSiblings(lane: Lane): Promise<number> {
    const { database, routeId, siblings } = this.#context
    if (!this.#backlog.has(lane) || siblings === undefined || siblings.ids.length === 0) return 0
    let released = 0
    let waiting = await countDueParts(database, routeId, lane, clock.date(), transferredParts.max)
    for (const shareId of siblings.ids) {
      if (waiting === 0 || !this.#backlog.has(lane)) break
      const parts = this.#reserve(shareId, lane, waiting)
      if (parts === 0) continue
      released += await this.#releaseTo({ shareId, capacity: (used) => parts - used }, lane, false)
      // If as many wait as were counted, there may be more.
      if (waiting < transferredParts.max) waiting = Math.max(0, waiting - parts)
    }
    return released
  }

  /** Returns the number of reserved parts: all that wait, or nearly the capacity of the sibling. */
  #reserve(shareId: string, lane: Lane, waiting: number): number {
    const { publisher, topology, siblings } = this.#context
    const { states } = siblings!
    let parts = Math.min(transferredParts.min, waiting)
    if (!publisher.accepts(topology.getQueue(shareId)) || !states.reserveCapacity(shareId, lane, parts))
      return 0
    for (let more = waiting - parts; more > 0; more = Math.min(Math.floor(more / 2), waiting - parts))
      if (states.reserveCapacity(shareId, lane, more)) parts += more
    return parts
  }

  /** Returns the number of released steps. */
  async #releaseTo(target: Target, lane: Lane, dropsEndingSoon: boolean): Promise<number> {
    const { database, routeId } = this.#context
    const satisfied = new Set<number>()
    let released = 0
    let usedParts = 0
    for (let pass = 0; pass < maxPasses; pass++) {
      const now = clock.date()
      const shares = await this.#shareOut(lane, now, satisfied, target.capacity(usedParts))
      if (shares.size === 0) break
      const endedBy = this.#computeEndTimes(lane, now, shares, dropsEndingSoon)
      const due = await readDueSteps(database, routeId, lane, shares, now, { endedBy })
      const steps = this.#fitToShares(lane, due, shares)
      await this.#release(target.shareId, lane, steps)
      const sendable = steps.filter(({ job }) => job !== null)
      released += sendable.length
      usedParts += countParts(sendable)
      const hasUnsendable = sendable.length < steps.length
      if (hasUnsendable) await this.#dropEndingSoon(lane, now, endedBy)
      // An account that did not use its share has no more steps now, or its next message is too long for it.
      const served = Map.groupBy(steps, ({ accountId }) => accountId)
      const before = satisfied.size
      for (const [id, share] of shares) if (countParts(served.get(id) ?? []) < share) satisfied.add(id)
      if (satisfied.size === before && !hasUnsendable) break
    }
    return released
  }

  /** Divides the capacity among the waiting accounts, except the `satisfied` ones. */
  async #shareOut(
    lane: Lane,
    now: Date,
    satisfied: ReadonlySet<number>,
    capacity: number,
  ): Promise<ReadonlyMap<number, number>> {
    const { database, routeId, schedulingSettings, getBlock } = this.#context
    const found = await findWaitingAccountIds(database, routeId, lane, now)
    const accounts = found.filter((accountId) => getBlock(accountId) === undefined)
    if (accounts.length > 0) this.#backlog.add(lane)
    else this.#backlog.delete(lane)
    const waiters = accounts
      .filter((accountId) => !satisfied.has(accountId))
      .map((accountId) => ({ accountId, weight: getAccountWeight(schedulingSettings, accountId) }))
    return this.#shares[lane].share(waiters, capacity)
  }

  /**
   * Returns, for each account, the deadline up to which its steps would end before their turn in the queue;
   * such a step would take the place of one that can still be sent. Empty if nothing may be dropped: a dropped
   * row does not return, so for example not while the clocks disagree.
   */
  #computeEndTimes(
    lane: Lane,
    now: Date,
    shares: ReadonlyMap<number, number>,
    dropsEndingSoon: boolean,
  ): ReadonlyMap<number, Date> {
    const minWaits = dropsEndingSoon && clock.agrees ? this.#context.minWaits?.(lane) : undefined
    if (minWaits === undefined) return new Map()
    return new Map([...shares.keys()].map((id) => [id, new Date(now.getTime() + minWaits(id))]))
  }

  /**
   * Drops expiring steps: in an overload, many more steps end before they could be sent than the queue has
   * capacity for.
   */
  async #dropEndingSoon(lane: Lane, now: Date, endedBy: ReadonlyMap<number, Date>): Promise<void> {
    if (endedBy.size === 0) return
    const { database, routeId } = this.#context
    const perAccount = Math.ceil(maxEndingSoon / endedBy.size)
    await removeEndingSoon(database, routeId, lane, endedBy, { now, perAccount })
  }

  /**
   * Keeps the steps that fit: a share counts parts, and steps beyond their account's share continue to wait.
   */
  #fitToShares(
    lane: Lane,
    steps: readonly WaitingStep[],
    shares: ReadonlyMap<number, number>,
  ): WaitingStep[] {
    const remaining = new Map(shares)
    return steps.filter(({ accountId, parts }) => {
      const accountRest = remaining.get(accountId) ?? 0
      // A message with more parts than a whole share is released when anything is left; later shares pay for
      // it.
      if (accountRest <= 0) return false
      remaining.set(accountId, accountRest - parts)
      if (accountRest < parts) this.#shares[lane].correct(accountId, accountRest - parts)
      return true
    })
  }

  async #release(shareId: string, lane: Lane, steps: readonly WaitingStep[]): Promise<void> {
    await releaseSteps(this.#context, steps, {
      place: (job, { parts }): Placement => {
        const denial = this.#context.checkRules(job)
        if (denial !== null) return decideDeniedPlacement(job, { lane, parts }, denial)
        return { kind: 'release', routeId: shareId, lane, job }
      },
      publish: (placed) => this.#publish(placed, steps),
    })
  }

  /** Publishes the steps. If the broker does not confirm, they stay in the waiting table, in their order. */
  async #publish(placed: readonly PlacedStep[], steps: readonly WaitingStep[]): Promise<ReadonlySet<string>> {
    const partsByMessage = new Map(steps.map(({ msgKey, parts }) => [msgKey, parts]))
    const published: Promise<void>[] = []
    try {
      for (const { job, placement } of placed) {
        if (placement.kind !== 'release') continue
        const { routeId, lane } = placement
        if (routeId === this.#context.routeId) this.#inTransit.add(job, lane, partsByMessage.get(job.msgKey)!)
        published.push(publishStep(this.#context, routeId, lane, job))
      }
      await Promise.all(published)
    } catch (error) {
      for (const { job } of placed) this.#inTransit.remove(job)
      throw error
    }
    return releasePlaced(
      this.#context,
      placed.filter(({ placement }) => placement.kind !== 'release'),
    )
  }
}

function countParts(steps: readonly WaitingStep[]): number {
  return steps.reduce((sum, { parts }) => sum + parts, 0)
}
