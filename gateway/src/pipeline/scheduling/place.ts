import {
  defaultSchedulingSettings,
  type SchedulingSettingsTable,
} from '../../identity/accounts/scheduling-settings.ts'
import { channels } from '../../channels/registry.ts'
import type { Cause } from '../../channels/cause.ts'
import type { StepJob } from '../../jobs/jobs.ts'
import type { Topology } from '../../jobs/queues.ts'
import { chooseLane, type Lane } from '../../channels/lane.ts'
import type { GroupPublisher } from '../../platform/broker/publish.ts'
import { type HeldStep, neverReleaseAt, holdReason } from '../../records/waiting/waiting-step.ts'
import type { RouteRequest } from '../../carriers/routes/choose.ts'
import type { Router } from '../../carriers/routes/router.ts'
import type { RouteStates } from '../../carriers/routes/states.ts'
import { recheckDelayMs, type GetBlock } from '../../trust/blocked-accounts/blocked-accounts.ts'
import type { Policy } from '../../trust/policy.ts'
import type { RuleDecision } from '../../trust/rule-group.ts'
import { clock } from '../../platform/time/clock.ts'

/** Decision about a step; `releasePlaced` carries it out. */
export type Placement =
  | { readonly kind: 'release'; readonly routeId: string; readonly lane: Lane; readonly job: StepJob }
  | { readonly kind: 'hold'; readonly held: HeldStep }
  | { readonly kind: 'failed'; readonly lane: Lane; readonly cause: Cause }

export interface PlacementContext {
  readonly router: Router
  readonly states: Pick<RouteStates, 'reserveCapacity'>
  readonly schedulingSettings: SchedulingSettingsTable
  readonly getBlock: GetBlock
  readonly topology: Topology
  /** A step for a queue that accepts nothing now is held. */
  readonly publisher: Pick<GroupPublisher, 'canPublish' | 'accepts'>
  /** A step that a rule stops reaches no queue and takes none of the route's rate. */
  readonly policy: Pick<Policy, 'checkSubmission' | 'getReplacementTime'>
}

export interface PlacementOptions {
  /** Route that cannot take the step now. */
  readonly avoid?: string
  /** Share of an existing route, for which the step waits if no route can be chosen. */
  readonly waitFor?: string | undefined
  /** Route that the step was released to, and for which it waits again. */
  readonly stayWith?: string
  /** Holds the step until this time, because of `rule` if set. */
  readonly notBefore?: Date | undefined
  readonly rule?: string
  /** Rule that suspends the step until an operator decides. */
  readonly heldBy?: string | undefined
  /** Set if the caller knows the flow and no step follows this one. */
  readonly isLast?: boolean
  /** Start of the wait to be placed again. */
  readonly owedAt?: number | undefined
}

/**
 * Decides where a step goes now: to a route's queue, to the waiting table, or nowhere because no route serves it or a trust
 * rule stops it. A step of a blocked account goes to the waiting table, where a duty ends or suspends it. Nothing is
 * written; capacity that was reserved and not used returns with the route's next published state.
 */
export function decidePlacement(
  context: PlacementContext,
  job: StepJob,
  options: PlacementOptions = {},
): Placement {
  const { router, states, schedulingSettings, topology, publisher, policy } = context
  const settings = schedulingSettings.value.get(job.accountId) ?? defaultSchedulingSettings
  const lane = chooseLane(job.content, job.batch === undefined ? settings.lane : 'bulk')
  const parts = channels[job.content.channel].parts(job.content, job.msgKey).length
  const hold = (wait: Wait): Placement => ({ kind: 'hold', held: toHeldStep(job, { lane, parts, ...wait }) })

  const wait = waitBeforeRouting(context, job, options)
  if (wait !== null) return hold(wait)
  const choice = router.choose(toRouteRequest(job), options.avoid)
  if (choice === null) {
    const unrouted = waitWithoutRoute(context, job, options)
    return unrouted === null ? { kind: 'failed', lane, cause: 'no-route' } : hold(unrouted)
  }
  const { route, reason } = choice
  const denial = policy.checkSubmission(job, route)
  if (denial !== null) return decideDeniedPlacement(job, { lane, parts }, denial)
  if (publisher.accepts(topology.getQueue(route.id)) && states.reserveCapacity(route.id, lane, parts))
    return { kind: 'release', routeId: route.id, lane, job: { ...job, why: reason } }
  return hold({
    route: { id: route.id, reason },
    releaseAt: clock.date(),
    reason: options.avoid === undefined ? 'backlog' : 'moved',
  })
}

/** Returns how a step waits if no route is to be chosen now, or null. */
function waitBeforeRouting(
  { getBlock }: PlacementContext,
  job: StepJob,
  { heldBy, notBefore, rule, stayWith }: PlacementOptions,
): Wait | null {
  if (heldBy !== undefined)
    return { releaseAt: neverReleaseAt, resumeAt: notBefore ?? clock.date(), reason: 'rule', rule: heldBy }
  if (getBlock(job.accountId) !== undefined) {
    const releaseAt = notBefore ?? new Date(clock.now() + recheckDelayMs)
    return { releaseAt, reason: 'rule', rule: 'account-stopped' }
  }
  // The route is chosen when the time has come, because routes may have changed by then.
  if (notBefore !== undefined && rule !== undefined) return { releaseAt: notBefore, reason: 'rule', rule }
  if (notBefore !== undefined)
    return { releaseAt: notBefore, reason: (job.tries ?? 0) > 0 ? 'retry' : 'scheduled' }
  if (stayWith !== undefined)
    return { route: { id: stayWith, reason: job.why }, releaseAt: clock.date(), reason: 'backlog' }
  return null
}

/** Delay before a failed step is placed again if the queue of settle does not confirm. */
const unconfirmedQueueMs = 2_000

/** Returns how a step waits if no route serves it, or null if it fails. */
function waitWithoutRoute(
  { policy, publisher, topology }: PlacementContext,
  job: StepJob,
  { waitFor, isLast, owedAt }: PlacementOptions,
): Wait | null {
  if (waitFor !== undefined) return { route: { id: waitFor }, releaseAt: clock.date(), reason: 'moved' }
  // This process perhaps has not read yet that a route was added, or that the account left the sandbox. Only the
  // end of a message waits for that: a code over a channel without routes must not arrive a second later by
  // its next step.
  const againAt = isLast === true ? policy.getReplacementTime(job, owedAt) : undefined
  if (againAt !== undefined) return { releaseAt: new Date(againAt), reason: 'owed' }
  if (publisher.accepts(topology.verdicts)) return null
  // The outbox places the step again when its failure can be published. It does nothing while the broker
  // accepts nothing; if only one queue does not, it would find the step again immediately.
  const afterMs = publisher.canPublish ? unconfirmedQueueMs : 0
  return { releaseAt: new Date(clock.now() + afterMs), reason: 'owed' }
}

export function toRouteRequest({ accountId, content, to, msgKey }: StepJob): RouteRequest {
  return { accountId, channel: content.channel, to, msgKey, step: content }
}

/**
 * Minimum hold: a rule with a time in the past would otherwise make the step due again immediately, forever.
 */
const minHoldMs = 1_000

/** Places a step that a trust rule stops before it is submitted. */
export function decideDeniedPlacement(
  job: StepJob,
  { lane, parts }: Pick<HoldOptions, 'lane' | 'parts'>,
  denial: RuleDecision,
): Placement {
  if (denial.verdict === 'fail') return { kind: 'failed', lane, cause: denial.cause }
  const releaseAt = new Date(Math.max(denial.until, clock.now() + minHoldMs))
  const held = toHeldStep(job, { lane, parts, releaseAt, reason: 'rule', rule: denial.rule })
  return { kind: 'hold', held }
}

/** Reason and end of a step's wait. */
interface Wait extends Pick<HeldStep, 'releaseAt' | 'reason' | 'rule' | 'resumeAt'> {
  /** The chosen route, and the reason for the choice. */
  readonly route?: { readonly id: string; readonly reason?: string | undefined }
}

export interface HoldOptions extends Wait, Pick<HeldStep, 'lane' | 'parts'> {}

export function toHeldStep(job: StepJob, { route, ...wait }: HoldOptions): HeldStep {
  const { reason, rule } = wait
  // A process that has read older data than the one that released the step holds it by the same rule again.
  const isHeldAgain = rule !== undefined && job.heldWhy === holdReason({ reason, rule })
  return {
    ...wait,
    msgKey: job.msgKey,
    step: job.step,
    try: job.try,
    accountId: job.accountId,
    routeId: route?.id ?? '',
    routeReason: route?.reason,
    tries: job.tries ?? 0,
    since: isHeldAgain && job.heldAt !== undefined ? new Date(job.heldAt) : undefined,
  }
}
