/**
 * The transactional outbox of steps: no started step is lost between PostgreSQL and the broker. The transaction that
 * starts a step also records that its job is owed to a route; after the commit the same process releases it. A sweep
 * (`outbox-sweep.ts`) releases the rest: steps whose process died before the release, whose time has come, or whose route
 * or share no longer exists. A job that is released twice is harmless, because a step is claimed once.
 */
import { laneOf, laneWithoutStep } from '../../channels/lane.ts'
import { routeOfShare } from '../../jobs/route-share.ts'
import { clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database.ts'
import type { StartedStep } from '../../records/messages/advance.ts'
import type { WaitingLanes } from '../../records/waiting/find-waiting.ts'
import { readWaiting } from '../../records/waiting/read-waiting.ts'
import type { WaitReason } from '../../records/waiting/waiting-step.ts'
import { holdSteps } from '../../records/waiting/write-waiting.ts'
import type { RouteRequest } from '../../routes/choose.ts'
import { releaseWaiting } from './release-waiting.ts'
import { StrandedSteps, type StrandedContext } from './stranded.ts'

/** The sweep leaves a step for this long to the process that started it. */
const releaseWithinMs = 3_000

/** Must be called in the transaction that starts the steps; call `release` with their keys after the commit. */
export function oweSteps(transaction: Queryable, started: readonly StartedStep[]): Promise<void> {
  return owe(transaction, started, 'owed', new Date(clock.now() + releaseWithinMs))
}

/** Must be called in the transaction that starts the tries; the sweep releases them. */
export function oweRetries(transaction: Queryable, started: readonly StartedStep[]): Promise<void> {
  return owe(transaction, started, 'retry', clock.date())
}

/** Records that the lost or parked job of a step is owed; the sweep releases it. */
export function oweAgain(database: Queryable, step: StartedStep): Promise<void> {
  return owe(database, [step], 'owed', clock.date())
}

/** No route is chosen yet: routes may have changed by the time the step is released. */
function owe(
  transaction: Queryable,
  started: readonly StartedStep[],
  reason: WaitReason,
  releaseAt: Date,
): Promise<void> {
  return holdSteps(
    transaction,
    started.map((step) => ({
      ...step,
      routeId: '',
      lane:
        step.content === null ? laneWithoutStep(step.accountLane) : laneOf(step.content, step.accountLane),
      parts: 1,
      tries: 0,
      releaseAt,
      reason,
    })),
  )
}

export interface Outbox {
  /** The time limit of a step that states none. */
  readonly stepTtlSeconds: number
  /** Resolves when the steps are in a route's queue or backlog. `portedTo` has the new carriers of ported recipients, by key. */
  release(keys: readonly string[], portedTo?: ReadonlyMap<string, string>): Promise<void>
  /** Reports whether the router chooses another route than `routeId`, which the step was submitted to. */
  hasOtherRoute(request: RouteRequest, routeId: string | null): boolean
  /** Reports whether steps wait that no route's owner will release. */
  hasStranded(waiting: WaitingLanes): boolean
  /** Releases due steps that no route's owner will. Calls `mayContinue` before every batch. */
  releaseStranded(mayContinue?: () => Promise<boolean>): Promise<void>
  /** While it is false, another process should sweep. */
  readonly canPublish: boolean
}

export interface OutboxContext extends StrandedContext {
  readonly stepTtlSeconds: number
}

export function createOutbox(context: OutboxContext): Outbox {
  const { database, stepTtlSeconds } = context
  const stranded = new StrandedSteps(context)
  return {
    stepTtlSeconds,
    async release(keys, portedTo = new Map<string, string>()) {
      if (keys.length === 0) return
      const steps = await readWaiting(database, keys)
      for (const { msgKey, job } of steps)
        if (job !== null && portedTo.has(msgKey)) context.router.remember(job.to, portedTo.get(msgKey))
      await releaseWaiting(context, steps)
    },
    hasOtherRoute(request, routeId) {
      const choice = context.router.choose(request)
      return choice !== null && (routeId === null || choice.route.routeId !== routeOfShare(routeId))
    },
    get canPublish() {
      return context.publisher.canPublish
    },
    hasStranded: (waiting) => stranded.isAmong(waiting),
    releaseStranded: (mayContinue = () => Promise.resolve(true)) => stranded.release(mayContinue),
  }
}
