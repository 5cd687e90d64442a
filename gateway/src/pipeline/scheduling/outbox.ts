/**
 * The transactional outbox of steps: no started step is lost between PostgreSQL and the broker. The
 * transaction that starts a step also records a pending job for it; after the commit the same process
 * releases it. A sweep (`outbox-sweep.ts`) releases the rest: steps whose process died before the release,
 * whose time has come, or whose route or share no longer exists. A job that is released twice is harmless,
 * because a step is claimed once.
 */
import { chooseLane, defaultLane } from '../../channels/lane.ts'
import { parseShareRoute } from '../../jobs/route-share.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { StartedStep } from '../../records/messages/advance.ts'
import type { WaitingLanes } from '../../records/waiting/find-waiting.ts'
import { readWaiting } from '../../records/waiting/read-waiting.ts'
import type { WaitReason } from '../../records/waiting/waiting-step.ts'
import { holdSteps } from '../../records/waiting/write-waiting.ts'
import type { RouteRequest } from '../../carriers/routes/choose.ts'
import { releaseWaiting } from './release-waiting.ts'
import { StrandedSteps, type StrandedContext } from './stranded.ts'

/** The sweep leaves a step to the process that started it for this long. */
const releaseWithinMs = 3_000

/**
 * Must be called in the transaction that starts the steps; call `release` with their msgKeys after the commit.
 */
export function enqueueSteps(transaction: Queryable, started: readonly StartedStep[]): Promise<void> {
  return enqueue(transaction, started, 'owed', new Date(clock.now() + releaseWithinMs))
}

/** Must be called in the transaction that starts the tries; the sweep releases them. */
export function enqueueRetries(transaction: Queryable, started: readonly StartedStep[]): Promise<void> {
  return enqueue(transaction, started, 'retry', clock.date())
}

/** Enqueues a step whose job was lost or parked; the sweep releases it. */
export function reenqueueStep(database: Queryable, step: StartedStep): Promise<void> {
  return enqueue(database, [step], 'owed', clock.date())
}

/** Enqueues steps without a route, because routes may have changed by the time the step is released. */
function enqueue(
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
        step.content === null ? defaultLane(step.accountLane) : chooseLane(step.content, step.accountLane),
      parts: 1,
      tries: 0,
      releaseAt,
      reason,
    })),
  )
}

export interface Outbox {
  /** Time limit of a step that sets none. */
  readonly stepTtlSeconds: number
  /**
   * Places the waiting steps of these messages, for example in the queue or backlog of a route. Resolves when the result
   * is durable. `portedTo` has the new carriers of ported recipients, by msgKey.
   */
  release(msgKeys: readonly string[], portedTo?: ReadonlyMap<string, string>): Promise<void>
  /** Reports whether the router chooses another route than `routeId`, to which the step was submitted. */
  hasOtherRoute(request: RouteRequest, routeId: string | null): boolean
  /** Reports whether steps wait that no route's owner will release. */
  hasStranded(waiting: WaitingLanes): boolean
  /** Releases due steps that no route's owner will. Calls `mayContinue` before every batch. */
  releaseStranded(mayContinue?: () => Promise<boolean>): Promise<void>
  /** While false, another process should sweep. */
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
    async release(msgKeys, portedTo = new Map<string, string>()) {
      if (msgKeys.length === 0) return
      const steps = await readWaiting(database, msgKeys)
      for (const { msgKey, job } of steps)
        if (job !== null && portedTo.has(msgKey)) context.router.setCarrier(job.to, portedTo.get(msgKey))
      await releaseWaiting(context, steps)
    },
    hasOtherRoute(request, routeId) {
      const choice = context.router.choose(request)
      return choice !== null && (routeId === null || choice.route.routeId !== parseShareRoute(routeId))
    },
    get canPublish() {
      return context.publisher.canPublish
    },
    hasStranded: (waiting) => stranded.isAmong(waiting),
    releaseStranded: (mayContinue = () => Promise.resolve(true)) => stranded.release(mayContinue),
  }
}
