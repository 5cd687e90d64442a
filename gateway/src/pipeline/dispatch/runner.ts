/**
 * Runs the steps of one route in the process that owns it. For every released step: wait until it is admitted, claim it,
 * submit its parts, record the carrier's answers, and only then acknowledge the job. Parts that the carrier certainly did
 * not accept are tried again here for a while; then the step is returned, to wait in a table or to take another route.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Connector, SubmitOutcome } from '../../connectors/connector.ts'
import type { Takes } from '../../connectors/kind.ts'
import type { AttemptRow, Refusal } from '../../records/attempts/attempts.ts'
import { stepId } from '../../jobs/step-key.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import type { MessageTrace } from '../../jobs/message-trace.ts'
import type { Lane } from '../../channels/lane.ts'
import { clock } from '../../platform/clock.ts'
import { breakerDefaults, type Pass } from '../../platform/circuit-breaker.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { createClaim, type ClaimResult, type StepClaim } from '../../records/messages/claim.ts'
import { burstOfShare, type RouteShare } from '../../routes/shares.ts'
import type { Policy } from '../../trust/policy.ts'
import type { Denial } from '../../trust/rule-group.ts'
import type { RuleId } from '../../trust/rules.ts'
import type { AttemptWriter } from './attempt-writer.ts'
import { RouteBreaker } from './route-breaker.ts'
import { AdaptiveRate } from './adaptive-rate.ts'
import { stopDenied } from './denied-step.ts'
import { orRequeue, recordOrHandOver, requeueRest, takeRest, type HandOverContext } from './hand-over.ts'
import { interrupted, sortOutcomes, toAttempt } from './outcomes.ts'
import { resolveInterrupted, type InterruptedClaimContext } from './interrupted-claim.ts'
import { nextTry } from './retries.ts'
import { toParts, type SubmittedPart } from './submission.ts'
import { PartSubmitter } from './submit-part.ts'
import { LaneScheduler, maxPauseMs, type Admission } from './lane-scheduler.ts'
import { burstMs, createPacer, type Pacer } from './pacer.ts'

export interface RunnerContext extends Omit<InterruptedClaimContext, 'attempts'>, HandOverContext {
  readonly route: RouteShare
  readonly connector: Connector
  readonly takes: Takes
  readonly attemptWriter: AttemptWriter
  /** Decides whether a step may be submitted now. */
  readonly policy: Pick<Policy, 'judgeSubmission' | 'originOf'>
  /** The weight of an account: its share of the route beside others. */
  readonly weightOf: (accountId: number) => number
  /** The recipient's mobile carrier by its number, when it is known. */
  readonly carrierOf?: (to: string) => string | undefined
  /** False while another process may own the route. */
  readonly isEligible?: () => boolean
  readonly metrics: Metrics
  readonly trace?: MessageTrace | undefined
  /** Publishes a failed step to settle; resolves when durable. */
  readonly endStep: (job: RouteJob, refused: Refusal) => Promise<void>
  /** Gives up a step that this route cannot submit now; resolves when its next place is durable. */
  readonly returnStep: (job: RouteJob, how: StepReturn) => Promise<void>
}

/**
 * `elsewhere`: at once, by another route. `here`: by this route, when it has capacity. `later`: after this long, by any route,
 * because of the rule if one is named. `never`: it has failed.
 */
export type StepReturn =
  | { readonly kind: 'here' }
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'later'; readonly afterMs: number; readonly rule?: RuleId }
  | { readonly kind: 'never' }

interface Waiting {
  readonly job: RouteJob
  /** The carrier has accepted part of it: it must end on this route. */
  readonly bound: boolean
  /** Of its delivery. */
  readonly signal: AbortSignal | undefined
}

export class RouteRunner {
  readonly rate: AdaptiveRate
  breaker = new RouteBreaker()
  readonly #context: RunnerContext & InterruptedClaimContext
  /** Admits two windows of parts, so that the carrier's window never waits for the commit of a claim. */
  readonly #scheduler: LaneScheduler<Waiting>
  readonly #submitter: PartSubmitter
  readonly #inProgress = new Map<string, Promise<void>>()
  readonly #pacer: Pacer
  #linked = false
  /** Present while an operator has closed the route: whether another one serves the step. */
  #mayMove: ((job: RouteJob) => boolean) | undefined

  constructor(context: RunnerContext) {
    const { route, connector, carrierOf, isEligible } = context
    const carrierIdFor = connector.carrierIdFor?.bind(connector)
    this.#context = { ...context, attempts: { routeId: route.routeId, carrierIdFor, carrierOf } }
    this.rate = new AdaptiveRate({ ceiling: route.partsPerSecond, owners: route.owners })
    this.#pacer = createPacer(route, performance.now())
    this.#scheduler = new LaneScheduler({
      capacity: context.connector.window * 2,
      rate: this.rate,
      pacer: this.#pacer,
      ...(isEligible === undefined ? {} : { isEligible }),
      accountOf: ({ job }) => job.accountId,
      weightOf: context.weightOf,
    })
    const { signal } = context
    this.#submitter = new PartSubmitter({
      ...context,
      enterBreaker: () => this.breaker.enter(),
      onOutcome: (outcome, pass) => this.#recordOutcome(outcome, pass),
      takeTurn: () => this.#scheduler.takeTurn(maxRepeatWaitMs, signal),
      onThrottled: (retryAfterMs) => this.#scheduler.pause(retryAfterMs),
    })
    context.signal.addEventListener('abort', () => this.#scheduler.stop(context.signal.reason as Error), {
      once: true,
    })
  }

  /** Whether the carrier can take submissions now. */
  set linked(up: boolean) {
    // Failures of the old link say nothing about a new one.
    if (up && !this.#linked) this.breaker = new RouteBreaker()
    this.#linked = up
    this.updateAdmission()
  }

  /** Opens or closes the scheduler by link and breaker. The breaker changes with time alone: call it often. */
  updateAdmission(): void {
    const { state } = this.breaker
    if (!this.#linked || state === 'open') this.#scheduler.close()
    else this.#scheduler.open(state === 'half-open' ? breakerDefaults.probes : Infinity)
  }

  /** Applies another rate from the next admission on. */
  changeRate(route: RouteShare): void {
    this.rate.changeCeiling(route.partsPerSecond, route.owners)
    this.#pacer.burstMs = burstOfShare(route, burstMs)
    this.updateAdmission()
  }

  /**
   * Submits nothing new from now on: steps that are not claimed go to another route, or wait for this one where `mayMove` says that none
   * serves them. The rest of a message of which the carrier has a part still follows.
   */
  close(mayMove: (job: RouteJob) => boolean): void {
    this.#mayMove = mayMove
    this.moveElsewhere(mayMove)
    this.#scheduler.remove(({ bound }) => !bound, 'held')
  }

  reopen(): void {
    this.#mayMove = undefined
  }

  /** Length of the pause that the carrier asked for; 0 when there is none now. */
  get pauseMs(): number {
    return this.#scheduler.pauseMs
  }

  /** Parts that wait in the lane. */
  waiting(lane: Lane): number {
    return this.#scheduler.waiting(lane)
  }

  /** The same by account. */
  waitingOf(lane: Lane): Map<number, number> {
    return this.#scheduler.waitingOf(lane)
  }

  /** Moves steps that are not claimed to other routes; returns how many. */
  moveElsewhere(mayMove: (job: RouteJob) => boolean): number {
    return this.#scheduler.remove(({ job, bound }) => !bound && mayMove(job), 'moved')
  }

  /** Returns steps whose delivery the broker will not leave here for much longer. */
  holdOverdue(): number {
    return this.#scheduler.remove(({ signal }) => signal?.aborted === true, 'held')
  }

  /** Rejects only when the runner is stopping; the job then returns to its queue. `signal`: see `holdOverdue`. */
  run(lane: Lane, job: RouteJob, signal?: AbortSignal): Promise<void> {
    const id = stepId(job)
    // A copy that is delivered while the original is in progress (after a reconnect) shares its result.
    const known = this.#inProgress.get(id)
    if (known !== undefined) {
      if (job.unsubmittedClaim === undefined && job.rest === undefined) return known
      // The copy does not know the claim and takes the step for submitted: this job submits it afterwards.
      const again = (): Promise<void> => this.run(lane, job, signal)
      return known.then(again, again)
    }
    const work =
      job.unsubmittedClaim === undefined
        ? this.#process(lane, job, signal)
        : this.#context.attemptWriter
            .withoutClaim(job, this.#context.signal)
            .then((returned) => this.#process(lane, returned, signal))
    this.#inProgress.set(id, work)
    const forget = (): void => void this.#inProgress.delete(id)
    // Not `finally`, which creates two promises more for every step.
    work.then(forget, forget)
    return work
  }

  /** Resolves when the steps that are in progress now have ended. */
  async drained(): Promise<void> {
    await Promise.allSettled(this.#inProgress.values())
  }

  async #process(lane: Lane, job: RouteJob, delivery: AbortSignal | undefined): Promise<void> {
    const { attemptWriter, signal, metrics, route, attempts, trace } = this.#context
    const startedMs = trace === undefined ? 0 : performance.now()
    let remaining = toParts(job, this.#context.takes)
    let bound = false
    let tries = job.tries ?? 0
    // Of the claim that a bound step is held by.
    let token = 0
    if (job.rest !== undefined) {
      const { rest } = job
      remaining = remaining.filter(({ part }) => rest.parts.includes(part))
      const claim = this.#createClaim(job)
      const taken = await takeRest(this.#context, job, rest, claim)
      if (taken === 'requeued') return
      if (taken !== 'claimed') return await resolveInterrupted(this.#context, job, taken, remaining)
      token = claim.token
      bound = true
    }
    for (;;) {
      // Its delivery has been held for too long, or is lost: see `holdOverdue`, which finds only what waits to be admitted.
      if (bound && delivery?.aborted === true)
        return await requeueRest(this.#context, { ...job, tries }, token, remaining)
      if (!bound && this.#mayMove !== undefined)
        return await this.#context.returnStep(
          { ...job, tries },
          { kind: this.#mayMove(job) ? 'elsewhere' : 'here' },
        )
      // Before it enters: what a rule stops must take none of the route's rate.
      const denied = bound ? null : this.#judge(job)
      if (denied !== null) return await this.#stop({ ...job, tries }, remaining, denied)
      const waiting = { job, bound, signal: delivery }
      let admission: Admission
      try {
        admission = await this.#scheduler.enter(lane, waiting, remaining.length, job.dueAt)
      } catch (error) {
        if (!bound) throw error
        return await requeueRest(this.#context, { ...job, tries }, token, remaining)
      }
      // Settle ends a step past its deadline; it must not be submitted after that.
      if (admission === 'expired') return
      if (admission === 'moved')
        return await this.#context.returnStep({ ...job, tries }, { kind: 'elsewhere' })
      if (admission === 'held' && bound)
        return await requeueRest(this.#context, { ...job, tries }, token, remaining)
      if (admission === 'held') return await this.#context.returnStep({ ...job, tries }, { kind: 'here' })
      const entered = remaining.length
      // It may have waited for long. The carrier has accepted part of a bound step: the rest of it follows.
      const deniedNow = bound ? null : this.#judge(job)
      if (deniedNow !== null) {
        this.#scheduler.giveBack(entered)
        return await this.#stop({ ...job, tries }, remaining, deniedNow)
      }
      const claim = this.#createClaim(job)
      let failed: boolean
      try {
        if (!bound) {
          const unsubmitted = { tries, unsubmittedClaim: claim.token }
          const claimed = attemptWriter.claim(claim, signal)
          const result = await orRequeue(this.#context, claimed, job, unsubmitted)
          if (result === 'requeued') return
          if (result === 'interrupted' && (await this.#takeOver(claim)))
            return await this.#resume(job, remaining, claim.token)
          if (result !== 'claimed') return await resolveInterrupted(this.#context, job, result, remaining)
        }
        const sorted = sortOutcomes(remaining, await this.#submit(job, remaining))
        if (sorted.failed && this.#linked) tries++
        const rows = sorted.answered.map(({ part, outcome }) =>
          toAttempt(job, attempts, part, outcome, clock.date()),
        )
        const held = bound ? token : claim.token
        const refused = rows.find((row) => row.outcome === 'refused')
        const how = rows.length > 0 ? await recordOrHandOver(this.#context, rows, held) : 'recorded'
        if (refused !== undefined || sorted.again.length === 0)
          trace?.dispatched(job, route.routeId, (refused ?? rows[0])?.outcome ?? 'none', { startedMs })
        if (refused !== undefined) {
          if (how === 'recorded') await this.#context.endStep(job, refused)
          return
        }
        if (sorted.again.length === 0) return
        remaining = sorted.again
        if (!bound && rows.length > 0) {
          bound = true
          token = claim.token
        }
        if (!bound) {
          const returned = attemptWriter.unclaim(claim, signal)
          const unsubmitted = { tries, unsubmittedClaim: claim.token }
          if ((await orRequeue(this.#context, returned, job, unsubmitted)) === 'requeued') return
        }
        // The next owner may have received the job and found it claimed: the queue may hold it no more.
        if (!bound && signal.aborted)
          return await this.#context.returnStep({ ...job, tries }, { kind: 'here' })
        if (sorted.pauseMs > 0) this.#scheduler.pause(sorted.pauseMs)
        failed = sorted.failed
      } finally {
        this.#scheduler.leave(entered)
      }
      if (!failed) continue
      const next = nextTry(tries)
      if (next.kind === 'here' || bound) {
        metrics.retries.inc({ route: route.routeId })
        try {
          await delay(next.kind === 'here' ? next.afterMs : boundRetryMs, undefined, { signal })
        } catch (error) {
          if (!bound) throw error
          return await requeueRest(this.#context, { ...job, tries }, token, remaining)
        }
      } else {
        return await this.#context.returnStep({ ...job, tries }, next)
      }
    }
  }

  #judge(job: RouteJob): Denial | null {
    return this.#context.policy.judgeSubmission(job, this.#context.route)
  }

  #stop(job: RouteJob, parts: readonly SubmittedPart[], denial: Denial): Promise<void> {
    const { attemptWriter, signal } = this.#context
    const made = this.#createClaim(job)
    const claim = (): Promise<ClaimResult | 'requeued'> => {
      const unsubmitted = { unsubmittedClaim: made.token }
      return orRequeue(this.#context, attemptWriter.claim(made, signal), job, unsubmitted)
    }
    const record = (rows: readonly AttemptRow[]) => recordOrHandOver(this.#context, rows, made.token)
    return stopDenied({ ...this.#context, claim, record }, job, parts, denial)
  }

  #createClaim(job: RouteJob): StepClaim {
    const { connector, route } = this.#context
    return createClaim(job, connector.repeatable === true ? route.routeId : undefined)
  }

  async #submit(job: RouteJob, parts: readonly SubmittedPart[]): Promise<SubmitOutcome[]> {
    const before = { pass: this.breaker.enter() }
    return parts.length === 1
      ? [await this.#submitter.submit(job, parts[0]!, before)]
      : Promise.all(parts.map((part) => this.#submitter.submit(job, part, before)))
  }

  async #takeOver(claim: StepClaim): Promise<boolean> {
    const { attemptWriter, signal } = this.#context
    return claim.repeatableOn !== undefined && (await attemptWriter.takeOver(claim, signal))
  }

  /** Repeats what a previous owner of the route may have submitted, at a carrier that recognizes the reference. */
  async #resume(job: RouteJob, parts: readonly SubmittedPart[], token: number): Promise<void> {
    const { attempts, route, trace } = this.#context
    const startedMs = performance.now()
    const before = { after: interrupted }
    const outcomes = await Promise.all(parts.map((part) => this.#submitter.submit(job, part, before)))
    const rows = sortOutcomes(parts, outcomes).answered.map(({ part, outcome }) =>
      toAttempt(job, attempts, part, outcome, clock.date()),
    )
    await recordOrHandOver(this.#context, rows, token)
    trace?.dispatched(job, route.routeId, rows[0]?.outcome ?? 'none', { startedMs })
  }

  #recordOutcome(outcome: SubmitOutcome, pass: Pass | null): void {
    const { metrics, route } = this.#context
    metrics.outcomes.inc({ route: route.routeId, outcome: outcome.kind })
    if (outcome.kind === 'throttled' || (outcome.kind === 'accepted' && outcome.congested === true))
      this.rate.throttled()
    else this.rate.answered()
    // Without a pass the step was claimed before the breaker opened, and its outcome says nothing new.
    if (pass === null) return
    const before = this.breaker.state
    this.breaker.record(pass, outcome)
    if (this.breaker.state !== before) this.updateAdmission()
  }
}

/** A repeat that would have to wait for longer is not made: a receipt may still say what became of the submission. */
const maxRepeatWaitMs = 2 * maxPauseMs
/** Between tries of a step that must end on this route because the carrier has accepted part of it. */
const boundRetryMs = 5_000
