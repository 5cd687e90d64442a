import { setTimeout as delay } from 'node:timers/promises'
import type { Connector, SubmitOutcome } from '../../../carriers/connectors/connector.ts'
import type { SubmissionUnit } from '../../../carriers/connectors/options/kind.ts'
import type { RouteJob } from '../../../jobs/jobs.ts'
import type { MessageTrace } from '../../../jobs/message-trace.ts'
import type { Lane } from '../../../channels/lane.ts'
import { breakerDefaults, type BreakerPass } from '../../../platform/circuit-breaker.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import type { AttemptRow } from '../../../records/attempts/attempts.ts'
import { createClaim } from '../../../records/messages/claim.ts'
import { burstOfShare, type RouteShare } from '../../../carriers/routes/shares.ts'
import type { Policy } from '../../../trust/policy.ts'
import type { AttemptWriter } from './attempt-writer.ts'
import type { FailedStepHandler } from '../failed-step-handler.ts'
import { RouteBreaker } from '../rate/route-breaker.ts'
import { AdaptiveRate } from '../rate/adaptive-rate.ts'
import { StepsInProgress } from '../step/in-progress.ts'
import { interrupted } from '../step/outcomes.ts'
import type { StepPorts } from '../step/ports.ts'
import { isOverdue, runStep } from '../step/run.ts'
import type { DeliveredStep } from '../step/states.ts'
import { toParts, type SubmittedPart } from '../step/submission.ts'
import { PartSubmitter, type PriorState } from './submit-part.ts'
import { LaneScheduler, maxPauseMs } from '../queue/lane-scheduler.ts'
import { createPacer, defaultBurstMs, type Pacer } from '../rate/pacer.ts'

export interface RunnerContext extends FailedStepHandler {
  readonly route: RouteShare
  readonly connector: Connector
  readonly submissionUnit: SubmissionUnit
  /** The beginning of the digest of the connector's login; see `StepClaim`. */
  readonly login?: string | undefined
  readonly attemptWriter: AttemptWriter
  readonly policy: Pick<Policy, 'checkSubmission' | 'getOrigin'>
  /** Returns the weight of an account. */
  readonly getWeight: (accountId: number) => number
  /** Returns the mobile carrier of a number, if it is known. */
  readonly findCarrier?: (to: string) => string | undefined
  /** Returns false while another process may own the route. */
  readonly isEligible?: () => boolean
  readonly metrics: Metrics
  readonly trace?: MessageTrace | undefined
  /** Called with the attempts of a step after they are recorded. */
  readonly onRecorded?: (job: RouteJob, rows: readonly AttemptRow[]) => void
  /** Publishes a job for the next owner of the route; retried as long as the process runs. */
  readonly passOn: (job: RouteJob) => Promise<void>
  /** Aborts when the route stops. */
  readonly signal: AbortSignal
}

interface WaitingStep extends DeliveredStep {
  /** Whether these are the remaining parts of a message of which the carrier has others, so that they must use this route. */
  readonly isRest: boolean
}

/** A submission of unknown outcome that would wait longer for its repeat is not repeated; a receipt may still report the outcome. */
const maxRepeatWaitMs = 2 * maxPauseMs

/**
 * Runs the steps of one route in the process that owns it: they wait here for the link, the rate and the window of the
 * carrier, and `step/run.ts` submits each of them.
 */
export class RouteRunner {
  readonly rate: AdaptiveRate
  breaker = new RouteBreaker()
  readonly #context: RunnerContext
  /** Admits two windows of parts, so that the carrier's window never waits for the commit of a claim. */
  readonly #scheduler: LaneScheduler<WaitingStep>
  readonly #submitter: PartSubmitter
  readonly #ports: StepPorts
  readonly #inProgress = new StepsInProgress()
  readonly #pacer: Pacer
  #linked = false
  /** Set while an operator has closed the route; reports whether another route serves the step. */
  #mayMove: ((job: RouteJob) => boolean) | undefined

  constructor(context: RunnerContext) {
    const { route, connector, isEligible, signal } = context
    this.#context = context
    this.rate = new AdaptiveRate({ ceiling: route.partsPerSecond, owners: route.owners })
    this.#pacer = createPacer(route, performance.now())
    this.#scheduler = new LaneScheduler({
      capacity: connector.window * 2,
      rate: this.rate,
      pacer: this.#pacer,
      ...(isEligible === undefined ? {} : { isEligible }),
      getAccountId: ({ job }) => job.accountId,
      getWeight: context.getWeight,
    })
    this.#submitter = new PartSubmitter({
      ...context,
      enterBreaker: () => this.breaker.enter(),
      onOutcome: (outcome, pass) => this.#recordOutcome(outcome, pass),
      takeTurn: () => this.#scheduler.takeTurn(maxRepeatWaitMs, signal),
      onThrottled: (retryAfterMs) => this.#scheduler.pause(retryAfterMs),
    })
    this.#ports = this.#createPorts()
    signal.addEventListener('abort', () => this.#scheduler.drain(({ isRest }) => isRest), { once: true })
  }

  /**
   * Sets whether the carrier accepts submissions now. A new link gets a new breaker, because failures of the
   * old one do not apply to it.
   */
  set linked(up: boolean) {
    if (up && !this.#linked) this.breaker = new RouteBreaker()
    this.#linked = up
    this.updateAdmission()
  }

  /**
   * Opens or closes the scheduler by link and breaker. Call it often, because the breaker changes with time.
   */
  updateAdmission(): void {
    const { state } = this.breaker
    if (!this.#linked || state === 'open') this.#scheduler.close()
    else this.#scheduler.open(state === 'half-open' ? breakerDefaults.probes : Infinity)
  }

  /** Applies a changed rate from the next admission on. */
  changeRate(route: RouteShare): void {
    this.rate.changeCeiling(route.partsPerSecond, route.owners)
    this.#pacer.burstMs = burstOfShare(route, defaultBurstMs)
    this.updateAdmission()
  }

  /**
   * Stops submitting new steps: unclaimed ones go to another route, or wait for this one if `mayMove` returns
   * false. The remaining parts of a message of which the carrier has a part still follow.
   */
  close(mayMove: (job: RouteJob) => boolean): void {
    this.#mayMove = mayMove
    this.moveElsewhere(mayMove)
    this.#scheduler.remove(({ isRest }) => !isRest, 'held')
  }

  reopen(): void {
    this.#mayMove = undefined
  }

  /** Length of the current pause that the carrier requested, or 0. */
  get pauseMs(): number {
    return this.#scheduler.pauseMs
  }

  /** Returns the number of parts that wait in the lane. */
  waiting(lane: Lane): number {
    return this.#scheduler.waiting(lane)
  }

  /** True if nothing waits or was submitted in the last second, and the carrier does not hold submissions up. */
  get isIdle(): boolean {
    const isFree = this.breaker.state === 'closed' && this.pauseMs === 0
    return isFree && this.#scheduler.isEmpty && this.rate.throughput === 0
  }

  /** Returns the parts that wait in the lane by account. */
  waitingByAccount(lane: Lane): Map<number, number> {
    return this.#scheduler.waitingByAccount(lane)
  }

  /** Moves unclaimed steps to other routes; returns their number. */
  moveElsewhere(mayMove: (job: RouteJob) => boolean): number {
    return this.#scheduler.remove(({ job, isRest }) => !isRest && mayMove(job), 'moved')
  }

  /**
   * Removes from memory the steps whose broker delivery was held too long: they go to the waiting table, and the remaining parts
   * of a message become `unknown`. Returns their number.
   */
  holdOverdue(): number {
    return this.#scheduler.remove(
      (step) => (step.isRest ? isOverdue(step) : step.delivery?.aborted === true),
      'held',
    )
  }

  /**
   * Runs a step until it has ended here or left the route. Rejects when the runner is stopping, so that the job
   * returns to its queue, or with an error that no retry corrects. For `delivery`, see `holdOverdue`.
   */
  run(lane: Lane, job: RouteJob, delivery?: AbortSignal): Promise<void> {
    const step = { lane, job, delivery, startedMs: performance.now() }
    return this.#inProgress.run(job, () => runStep(this.#ports, step))
  }

  /** Resolves when the steps that are in progress now have ended. */
  drained(): Promise<void> {
    return this.#inProgress.drained()
  }

  /** Gives up the remaining parts of messages that still wait after the signal was aborted. */
  stop(): void {
    this.#scheduler.stop()
  }

  #createPorts(): StepPorts {
    const { route, connector, login, attemptWriter, signal, trace, findCarrier, policy } = this.#context
    const { endStep, endStepAgain, endStepLater, returnStep, publishOutcomes, passOn } = this.#context
    const isRepeatable = connector.repeatable === true
    const isLinked = (): boolean => this.#linked
    return {
      attempts: {
        routeId: route.routeId,
        carrierIdFor: connector.carrierIdFor?.bind(connector),
        findCarrier,
      },
      trace,
      isRepeatable,
      get isStopping() {
        return signal.aborted
      },
      get isLinked() {
        return isLinked()
      },
      toParts: (job) => toParts(job, this.#context.submissionUnit),
      createClaim: (job) => createClaim(job, isRepeatable ? route.routeId : undefined, login),
      findReturn: (job) =>
        this.#mayMove === undefined ? null : { kind: this.#mayMove(job) ? 'other-route' : 'same-route' },
      checkRules: (job) => policy.checkSubmission(job, route),
      enter: (step, parts, isRest) =>
        this.#scheduler.enter(step.lane, { ...step, isRest }, parts, step.job.dueAt),
      leave: (parts) => this.#scheduler.leave(parts),
      returnUnused: (parts) => this.#scheduler.returnUnused(parts),
      pause: (ms) => this.#scheduler.pause(ms),
      delay: (ms) => this.#waitToRetry(ms),
      submit: (job, parts) => this.#submit(job, parts, { pass: this.breaker.enter() }),
      repeat: (job, parts) => this.#submit(job, parts, { after: interrupted }),
      returnPreviousClaim: (job) => attemptWriter.returnPreviousClaim(job, signal),
      claim: (claim) => attemptWriter.claim(claim, signal),
      takeOver: (claim) => attemptWriter.takeOver(claim, signal),
      returnClaim: (claim) => attemptWriter.returnClaim(claim, signal),
      record: async (job, rows) => {
        await attemptWriter.record(rows, signal)
        this.#context.onRecorded?.(job, rows)
      },
      publishOutcomes,
      publishForNextOwner: passOn,
      endStep,
      endStepAgain,
      endStepLater,
      returnStep,
    }
  }

  #waitToRetry(ms: number): Promise<boolean> {
    const { metrics, route, signal } = this.#context
    metrics.retries.inc({ route: route.routeId })
    return delay(ms, true, { signal }).catch(() => false)
  }

  #submit(job: RouteJob, parts: readonly SubmittedPart[], before: PriorState): Promise<SubmitOutcome[]> {
    return Promise.all(parts.map((part) => this.#submitter.submit(job, part, before)))
  }

  #recordOutcome(outcome: SubmitOutcome, pass: BreakerPass | null): void {
    const { metrics, route } = this.#context
    metrics.outcomes.inc({ route: route.routeId, outcome: outcome.kind })
    if (outcome.kind === 'throttled' || (outcome.kind === 'accepted' && outcome.congested === true))
      this.rate.recordThrottle()
    else this.rate.recordResponse()
    // A submission without a pass, whose step was claimed before the breaker opened, does not count for the breaker.
    if (pass === null) return
    const before = this.breaker.state
    this.breaker.record(pass, outcome)
    if (this.breaker.state !== before) this.updateAdmission()
  }
}
