/**
 * Submits parts to the connector of a route, no more at once than its window allows, and repeats unknown ones where the
 * carrier recognizes them. Never rejects: every failure is an outcome. Called by `RouteRunner`.
 */
import type { Connector, Submission, SubmitOutcome } from '../../connectors/connector.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { RouteShare } from '../../routes/shares.ts'
import { isPast } from './lane-scheduler.ts'
import { expiredOutcome, type interrupted } from './outcomes.ts'
import { submitRepeatably } from './repeat-unknown.ts'
import { Semaphore } from './semaphore.ts'
import { StepSubmission, type SubmittedPart } from './submission.ts'

export interface SubmitContext {
  readonly route: Pick<RouteShare, 'routeId'>
  readonly connector: Connector
  readonly metrics: Metrics
  readonly signal: AbortSignal
}

export class PartSubmitter {
  readonly #context: SubmitContext
  readonly #window: Semaphore

  constructor(context: SubmitContext) {
    this.#context = context
    this.#window = new Semaphore(context.connector.window)
  }

  /** `after`: the outcome of a submission by a previous owner. */
  submit(job: RouteJob, part: SubmittedPart, after?: typeof interrupted): Promise<SubmitOutcome> {
    const { connector, metrics, route, signal } = this.#context
    const submission = new StepSubmission(job, part)
    if (connector.repeatable !== true) return this.#submitOnce(submission)
    return submitRepeatably(() => this.#submitOnce(submission), submission, {
      signal,
      onRepeat: () => metrics.retries.inc({ route: route.routeId }),
      after,
    })
  }

  async #submitOnce(submission: Submission): Promise<SubmitOutcome> {
    const { connector, metrics, route } = this.#context
    // The step is claimed, so a stopping process still submits it: a claim without an outcome would be `unknown`.
    if (!this.#window.tryAcquire()) await this.#window.acquire()
    const started = performance.now()
    try {
      if (connector.capability !== undefined && (await connector.capability(submission.to)) === 'incapable')
        return incapable
      // After a freeze or a long wait its message may have ended, or another step of it may have been sent.
      if (isPast(submission.validUntil.getTime())) return expiredOutcome
      return await connector.submit(submission)
    } finally {
      metrics.submitSeconds.observe({ route: route.routeId }, (performance.now() - started) / 1000)
      this.#window.release()
    }
  }
}

const incapable: SubmitOutcome = {
  kind: 'refused',
  cause: 'unsupported',
  code: 'incapable',
  text: 'the recipient cannot receive the channel',
}
