/**
 * Decides where a step goes now: to a route's queue, to the waiting table, or nowhere because no route serves it or a rule
 * of trust stops it. A step of a stopped account goes to the waiting table, where `stopped-accounts.ts` finds it. Nothing is
 * written; capacity that was taken and not used returns with the route's next published state.
 */
import {
  defaultSchedulingSettings,
  type SchedulingSettingsTable,
} from '../../accounts/scheduling-settings.ts'
import { channels } from '../../channels/registry.ts'
import type { Cause } from '../../channels/cause.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import type { Topology } from '../../jobs/queues.ts'
import { laneOf, type Lane } from '../../channels/lane.ts'
import type { GroupPublisher } from '../../platform/broker/publish.ts'
import { type HeldStep, never, whyHeld } from '../../records/waiting/waiting-step.ts'
import type { RouteRequest } from '../../routes/choose.ts'
import type { Router } from '../../routes/router.ts'
import type { RouteStates } from '../../routes/states.ts'
import { heldAgainAfterMs, type StopOf } from '../../trust/stops/stops.ts'
import type { Policy } from '../../trust/policy.ts'
import type { Denial } from '../../trust/rule-group.ts'
import { clock } from '../../platform/clock.ts'

/** `releasePlaced` carries it out. */
export type Placement =
  | { readonly kind: 'release'; readonly routeId: string; readonly lane: Lane; readonly job: RouteJob }
  | { readonly kind: 'hold'; readonly held: HeldStep }
  | { readonly kind: 'failed'; readonly lane: Lane; readonly cause: Cause }

export interface PlaceContext {
  readonly router: Router
  readonly states: Pick<RouteStates, 'reserveCapacity'>
  readonly schedulingSettings: SchedulingSettingsTable
  readonly stopOf: StopOf
  readonly topology: Topology
  /** A step for a queue that accepts nothing now is held. */
  readonly publisher: Pick<GroupPublisher, 'canPublish' | 'accepts'>
  /** A step that a rule stops reaches no queue and takes none of the route's rate. */
  readonly policy: Pick<Policy, 'judgeSubmission' | 'placedAgainAt'>
}

export interface PlaceOptions {
  /** A route that cannot take the step now. */
  readonly avoid?: string
  /** A share of a route that exists, for which the step waits when no route can be chosen. */
  readonly waitFor?: string
  /** The route that the step was released to and keeps: it is held for it. */
  readonly stayWith?: string
  /** The step is held until this time. */
  readonly notBefore?: Date
  /** The rule of trust that demands it. */
  readonly rule?: string
  /** The rule that holds the step until an operator decides. */
  readonly heldBy?: string
  /** The caller knows the flow, and no step follows when no route serves this one. */
  readonly isLast?: boolean
  /** Since when the step waits to be placed again. */
  readonly owedAt?: number | undefined
}

/** A step that has failed is placed again after this long when the queue of settle does not confirm. */
const silentQueueMs = 2_000

export function place(context: PlaceContext, job: RouteJob, options: PlaceOptions = {}): Placement {
  const { router, states, schedulingSettings, topology, publisher, policy } = context
  const lane = laneOf(
    job.content,
    (schedulingSettings.value.get(job.accountId) ?? defaultSchedulingSettings).lane,
  )
  const parts = channels[job.content.channel].parts(job.content, job.msgKey).length
  const hold = (
    options: Pick<HoldOptions, 'route' | 'releaseAt' | 'reason' | 'rule' | 'resumeAt'>,
  ): Placement => ({
    kind: 'hold',
    held: toHeldStep(job, { lane, parts, ...options }),
  })
  if (options.heldBy !== undefined) {
    const resumeAt = options.notBefore ?? clock.date()
    return hold({ releaseAt: never, resumeAt, reason: 'rule', rule: options.heldBy })
  }
  if (context.stopOf(job.accountId) !== undefined) {
    const releaseAt = options.notBefore ?? new Date(clock.now() + heldAgainAfterMs)
    return hold({ releaseAt, reason: 'rule', rule: 'account-stopped' })
  }
  // The route is chosen when its time has come: routes may have changed by then.
  if (options.notBefore !== undefined) {
    const { notBefore: releaseAt, rule } = options
    if (rule !== undefined) return hold({ releaseAt, reason: 'rule', rule })
    return hold({ releaseAt, reason: (job.tries ?? 0) > 0 ? 'retry' : 'scheduled' })
  }
  if (options.stayWith !== undefined) {
    const route = { id: options.stayWith, ...(job.why === undefined ? {} : { reason: job.why }) }
    return hold({ route, releaseAt: clock.date(), reason: 'backlog' })
  }
  const choice = router.choose(toRouteRequest(job), options.avoid)
  if (choice === null) {
    if (options.waitFor !== undefined)
      return hold({ route: { id: options.waitFor }, releaseAt: clock.date(), reason: 'moved' })
    // This process may not have read yet that a route was added, or that the account left the sandbox. Only the end of a message
    // waits for that: a code over a channel without routes must not come a second later by its next step.
    const againAt = options.isLast === true ? policy.placedAgainAt(job, options.owedAt) : undefined
    if (againAt !== undefined) return hold({ releaseAt: new Date(againAt), reason: 'owed' })
    if (publisher.accepts(topology.verdicts)) return { kind: 'failed', lane, cause: 'no-route' }
    // The outbox places it again when its failure can be published. It does nothing while the broker accepts nothing; when
    // one queue does not, it would otherwise find the step again at once.
    const afterMs = publisher.canPublish ? silentQueueMs : 0
    return hold({ releaseAt: new Date(clock.now() + afterMs), reason: 'owed' })
  }
  const { route, reason } = choice
  const denial = policy.judgeSubmission(job, route)
  if (denial !== null) return placeDenied(job, { lane, parts }, denial)
  if (!publisher.accepts(topology.queueOf(route.id)) || !states.reserveCapacity(route.id, lane, parts)) {
    return hold({
      route: { id: route.id, reason },
      releaseAt: clock.date(),
      reason: options.avoid === undefined ? 'backlog' : 'moved',
    })
  }
  return { kind: 'release', routeId: route.id, lane, job: { ...job, why: reason } }
}

export function toRouteRequest({ accountId, content, to, msgKey }: RouteJob): RouteRequest {
  return { accountId, channel: content.channel, to, msgKey, step: content }
}

/** A rule that names a time in the past would otherwise have the step found again at once, and for ever. */
const minHoldMs = 1_000

/** Places a step that a rule of trust stops before it is submitted. */
export function placeDenied(
  job: RouteJob,
  { lane, parts }: Pick<HoldOptions, 'lane' | 'parts'>,
  denial: Denial,
): Placement {
  if (denial.verdict === 'fail') return { kind: 'failed', lane, cause: denial.cause }
  const releaseAt = new Date(Math.max(denial.until, clock.now() + minHoldMs))
  const held = toHeldStep(job, { lane, parts, releaseAt, reason: 'rule', rule: denial.rule })
  return { kind: 'hold', held }
}

export interface HoldOptions extends Pick<
  HeldStep,
  'lane' | 'parts' | 'releaseAt' | 'reason' | 'rule' | 'resumeAt'
> {
  readonly lane: Lane
  /** The chosen route and why it was chosen; absent if none is chosen yet. */
  readonly route?: { readonly id: string; readonly reason?: string }
}

export function toHeldStep(
  job: RouteJob,
  { route, lane, parts, releaseAt, reason, rule, resumeAt }: HoldOptions,
): HeldStep {
  // A process that has read older data than the one that released the step holds it by the same rule again.
  const isHeldAgain = rule !== undefined && job.heldWhy === whyHeld({ reason, rule })
  return {
    msgKey: job.msgKey,
    step: job.step,
    try: job.try,
    accountId: job.accountId,
    routeId: route?.id ?? '',
    ...(route?.reason === undefined ? {} : { routeReason: route.reason }),
    lane,
    parts,
    tries: job.tries ?? 0,
    releaseAt,
    reason,
    ...(rule === undefined ? {} : { rule }),
    ...(resumeAt === undefined ? {} : { resumeAt }),
    ...(isHeldAgain && job.heldAt !== undefined ? { since: new Date(job.heldAt) } : {}),
  }
}
