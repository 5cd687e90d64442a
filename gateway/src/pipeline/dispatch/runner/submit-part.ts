import type { Connector, SubmitOutcome } from '../../../carriers/connectors/connector.ts'
import type { PartKey } from '../../../carriers/connectors/reference.ts'
import { withRouteSender } from '../../../carriers/connectors/senders.ts'
import type { BreakerPass } from '../../../platform/circuit-breaker.ts'
import { clock } from '../../../platform/time/clock.ts'
import type { RouteJob } from '../../../jobs/jobs.ts'
import type { MessageTrace } from '../../../jobs/message-trace.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import type { RouteShare } from '../../../carriers/routes/shares.ts'
import type { Policy } from '../../../trust/policy.ts'
import { expiredOutcome, type interrupted } from '../step/outcomes.ts'
import { afterOutcome } from '../step/retries.ts'
import { submitRepeatably } from './repeat-unknown.ts'
import { StepSubmission, type SubmittedPart } from '../step/submission.ts'

export interface PartSubmitContext {
  readonly route: Pick<RouteShare, 'routeId' | 'options'>
  readonly connector: Connector
  readonly policy: Pick<Policy, 'getOrigin'>
  readonly metrics: Metrics
  readonly trace?: MessageTrace | undefined
  readonly signal: AbortSignal
  /** Returns a pass of the breaker for a repeat, or null if it admits nothing now. */
  readonly enterBreaker: () => BreakerPass | null
  /** Called with the outcome of every submission, including each repeat. */
  readonly onOutcome: (outcome: SubmitOutcome, pass: BreakerPass | null) => void
  /** See `RepeatOptions`. */
  readonly takeTurn: () => Promise<boolean>
  readonly onThrottled: (retryAfterMs: number) => void
}

/** State before the first submission by this process. */
export interface PriorState {
  /** Pass of the breaker for the first submission; null if the breaker admitted nothing then. */
  readonly pass?: BreakerPass | null
  /** Outcome of a submission by a previous owner. */
  readonly after?: typeof interrupted
}

/**
 * Submits parts to the connector of a route, at most as many at the same time as its window allows, and repeats unknown ones
 * if the carrier recognizes them. Never rejects: every failure is an outcome.
 */
export class PartSubmitter {
  readonly #context: PartSubmitContext
  readonly #window: Semaphore

  constructor(context: PartSubmitContext) {
    this.#context = context
    this.#window = new Semaphore(context.connector.window)
  }

  submit(job: RouteJob, part: SubmittedPart, before: PriorState = {}): Promise<SubmitOutcome> {
    const { connector, policy, route } = this.#context
    const submission = new StepSubmission(withRouteSender(job, route.options), part, policy.getOrigin)
    if (connector.capability !== undefined && before.after === undefined)
      return this.#submitIfCapable(submission, before)
    return this.#submitRepeatably(submission, before)
  }

  /** Checks the capability without occupying the window, which a slow lookup would block for others. */
  async #submitIfCapable(submission: StepSubmission, before: PriorState): Promise<SubmitOutcome> {
    const { connector, onOutcome } = this.#context
    if ((await connector.capability!(submission.to)) !== 'incapable')
      return this.#submitRepeatably(submission, before)
    onOutcome(incapable, before.pass ?? null)
    return incapable
  }

  #submitRepeatably(submission: StepSubmission, { pass, after }: PriorState): Promise<SubmitOutcome> {
    const { connector, metrics, route, enterBreaker } = this.#context
    if (connector.repeatable !== true) return this.#submitOnce(submission, pass ?? null)
    let firstPass = pass
    const submit = (): Promise<SubmitOutcome> => {
      const passNow = firstPass === undefined ? enterBreaker() : firstPass
      firstPass = undefined
      return this.#submitOnce(submission, passNow)
    }
    const onRepeat = (): void => metrics.retries.inc({ route: route.routeId })
    return submitRepeatably(submit, submission, { ...this.#context, onRepeat, after })
  }

  async #submitOnce(submission: StepSubmission, pass: BreakerPass | null): Promise<SubmitOutcome> {
    const { connector, metrics, route, trace } = this.#context
    // The step is claimed, so a stopping process still submits it; a claim without an outcome would be
    // `unknown`.
    if (!this.#window.tryAcquire()) await this.#window.acquire()
    const started = performance.now()
    let outcome: SubmitOutcome
    try {
      // After a freeze or a long wait the message may have ended, or another step of it may have been sent.
      outcome = clock.hasPassed(submission.validUntil) ? expiredOutcome : await connector.submit(submission)
    } finally {
      metrics.submitSeconds.observe({
        labels: { route: route.routeId },
        value: (performance.now() - started) / 1000,
        exemplarLabels: trace?.exemplarLabels(submission.key.msgKey) ?? {},
      })
      this.#window.release()
    }
    if (trace !== undefined) this.#trace(trace, submission.key, outcome, started)
    this.#context.onOutcome(outcome, pass)
    return outcome
  }

  #trace(trace: MessageTrace, key: PartKey, outcome: SubmitOutcome, startedMs: number): void {
    const { connector, route } = this.#context
    const isRepeated = outcome.kind === 'unknown' && connector.repeatable === true
    const isFinal = afterOutcome[outcome.kind].recorded && !isRepeated
    trace.addSubmitted(key, route.routeId, outcome, { startedMs, isFinal })
  }
}

const incapable: SubmitOutcome = {
  kind: 'refused',
  cause: 'unsupported',
  code: 'incapable',
  text: 'the recipient cannot receive the channel',
}

/**
 * Limits the submissions or queries of a route that are open at its carrier. Waiters acquire it in the order of their
 * requests.
 */
export class Semaphore {
  readonly #capacity: number
  readonly #waiting: (() => void)[] = []
  #held = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** Returns true if there is capacity: the caller need not wait and must `release` afterwards. */
  tryAcquire(): boolean {
    if (this.#held >= this.#capacity) return false
    this.#held++
    return true
  }

  /** Resolves when there is capacity. The caller must `release` afterwards. */
  acquire(): Promise<void> {
    if (this.tryAcquire()) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Passes the slot directly to the next waiter, so a later caller cannot take it first. */
  release(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#held--
    else next()
  }
}
