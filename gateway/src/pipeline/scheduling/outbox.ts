/**
 * The transactional outbox of steps: no started step is lost between PostgreSQL and the broker. The transaction that
 * starts a step also records that its job is owed to a route; after the commit the same process releases it at once. A
 * sweep releases the rest: steps whose process died before the release, whose time has come, or whose route or share
 * no longer exists. A job released twice is harmless, because a claim is given once. Called by
 * settle, the worker role and the retry of a parked job.
 */
import { laneOf, laneWithoutStep } from '../../channels/lane.ts'
import { routeOfShare } from '../../jobs/route-share.ts'
import { clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Membership } from '../../platform/membership/membership.ts'
import type { Periodic } from '../../platform/periodic.ts'
import type { StartedStep } from '../../records/messages/advance.ts'
import type { WaitingLanes } from '../../records/waiting/find-waiting.ts'
import { readWaiting } from '../../records/waiting/read-waiting.ts'
import type { WaitReason } from '../../records/waiting/waiting-step.ts'
import { holdSteps } from '../../records/waiting/write-waiting.ts'
import type { RouteRequest } from '../../routes/choose.ts'
import { LateTurn } from './late-turn.ts'
import { releaseWaiting } from './release-waiting.ts'
import { StrandedSteps, type StrandedContext } from './stranded.ts'
import type { WaitingWatch } from './waiting-watch.ts'

/** The process that starts a step releases it at once; after this long the sweep does. */
const releaseWithinMs = 3_000

/** Call it in the transaction that starts the steps, and `release` with their keys after the commit. */
export function oweSteps(transaction: Queryable, started: readonly StartedStep[]): Promise<void> {
  return owe(transaction, started, 'owed', new Date(clock.now() + releaseWithinMs))
}

/** Call it in the transaction that starts the tries; the sweep releases them. */
export function oweRetries(transaction: Queryable, started: readonly StartedStep[]): Promise<void> {
  return owe(transaction, started, 'retry', clock.date())
}

/** For a step whose job was lost or parked; the sweep releases it. */
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
  /** Deadline of a step that states none. */
  readonly stepTtlSeconds: number
  /**
   * Resolves when the steps are in their routes' queues or in a route's backlog. `portedTo`: the carriers of recipients, by
   * key, that were ported.
   */
  release(keys: readonly string[], portedTo?: ReadonlyMap<string, string>): Promise<void>
  /** Whether the router chooses another route than `routeId`, which the step was submitted to. */
  hasOtherRoute(request: RouteRequest, routeId: string | null): boolean
  /** Whether steps wait that no route's owner will release. */
  hasStranded(waiting: WaitingLanes): boolean
  /**
   * Releases due steps that no route's owner will: no route was chosen, or their share of a route exists no more. Dispatch
   * moves those of a disabled route. It asks `mayContinue` before every batch.
   */
  releaseStranded(mayContinue?: () => Promise<boolean>): Promise<void>
  /** False while this process cannot reach the broker, so that another one should sweep. */
  readonly canPublish: boolean
}

export interface OutboxContext extends StrandedContext {
  readonly stepTtlSeconds: number
}

/** A process whose tables are old sweeps for this long at a time, after others had twice this long for the work. */
const defaultLateTurnMs = 8_000

export function createOutbox(context: OutboxContext): Outbox {
  const { database, stepTtlSeconds } = context
  const stranded = new StrandedSteps(context)
  return {
    stepTtlSeconds,
    async release(keys, portedTo = new Map<string, string>()) {
      if (keys.length === 0) return
      const steps = await readWaiting(database, keys)
      if (portedTo.size > 0) {
        for (const { msgKey, job } of steps)
          if (job !== null && portedTo.has(msgKey)) context.router.remember(job.to, portedTo.get(msgKey))
      }
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

export interface SweepContext {
  readonly outbox: Outbox
  readonly waitingWatch: WaitingWatch
  readonly membership: Membership
  readonly log: Log
  /** For how long the routes or the rules that steps are placed by cannot be read; absent: they do not change. */
  readonly failingMs?: () => number
  /** Tests set it lower. */
  readonly lateTurnMs?: number
}

/**
 * The sweep. Every worker starts it, and the one that has the duty works, so that steps are not released by each of them.
 * When the duty passes on in the middle of a batch, both processes may release the same steps, which is harmless. A
 * process that cannot read its tables gives up its duty and works only after the others.
 */
export function startOutboxSweep({
  outbox,
  waitingWatch,
  membership,
  log,
  failingMs = () => 0,
  lateTurnMs = defaultLateTurnMs,
}: SweepContext): Periodic {
  const duty = membership.duty('outbox')
  // A separate duty: a worker whose host's clock is wrong releases no scheduled messages, and must not keep one that does
  // from the work.
  const unscheduled = membership.duty('outbox without scheduled messages')
  // The duty of another process that has ended is free by then.
  const turn = new LateTurn({ failingMs, headStartMs: 2 * lateTurnMs })
  let current: Promise<void> | undefined
  let failing = false
  let holding = false

  async function hold(): Promise<boolean> {
    // Only after the others, even those whose clocks agree.
    if (turn.isLate && !clock.agrees) {
      if (!(await duty.hold())) return false
      holding = true
    } else if (!clock.agrees) await duty.release()
    const held = await (clock.agrees ? duty : unscheduled).hold()
    holding ||= held
    return held
  }

  async function giveUp(): Promise<void> {
    await Promise.all([duty.release(), unscheduled.release()])
    holding = false
  }

  /** `lateMs`: how long it may go on with old tables. */
  async function sweep(lateMs: number): Promise<void> {
    const until = performance.now() + lateMs
    try {
      await outbox.releaseStranded(async () => (!turn.isLate || performance.now() < until) && (await hold()))
      if (holding && (turn.isLate || !outbox.canPublish)) await giveUp()
      failing = false
    } catch (error) {
      if (!failing) log.warn({ err: error as Error }, 'releasing stranded steps failed; retrying')
      failing = true
    }
    current = undefined
  }

  const stopListening = waitingWatch.listen((waiting) => {
    if (current !== undefined) return
    const { isLate } = turn
    // Routes that it has not read yet are not stranded: their owners release what waits for them.
    const hasWork = isLate ? waiting.has('') : outbox.hasStranded(waiting)
    // One turn of a late process is short: another one may be back.
    if (turn.mayBegin(hasWork)) current = sweep(isLate ? lateTurnMs : 0)
    else if (holding && isLate) current = sweep(0)
  })
  return {
    async stop() {
      await stopListening()
      await current
      await giveUp().catch((error: unknown) => {
        log.debug({ err: error as Error }, 'cannot give up the duties of the outbox; they expire')
      })
    },
  }
}
