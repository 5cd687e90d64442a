import type { SubmitOutcome } from '../../../carriers/connectors/connector.ts'
import type { RouteJob } from '../../../jobs/jobs.ts'
import type { MessageTrace } from '../../../jobs/message-trace.ts'
import type { AttemptRow, RefusedAttempt } from '../../../records/attempts/attempts.ts'
import type { StepClaimResult, StepClaim } from '../../../records/messages/claim.ts'
import type { RuleDecision } from '../../../trust/rule-group.ts'
import type { AttemptContext } from './outcomes.ts'
import type { DeliveredStep, StepReturn } from './states.ts'
import type { SubmittedPart } from './submission.ts'

/** End of a step's wait for its turn. */
export type AdmissionResult =
  /** The step may be submitted; the caller must `leave` afterwards. */
  | 'go'
  /** The deadline of the step has passed. */
  | 'expired'
  /** Another route takes the step. */
  | 'moved'
  /** The step leaves the memory of this process and waits for this route. */
  | 'held'
  /** The route is stopping. */
  | 'stopping'

export interface ResolvePorts {
  readonly attempts: AttemptContext
  readonly trace?: MessageTrace | undefined
  /** Records outcomes. A recorded outcome is kept, except that any other replaces `unknown`. */
  record(job: RouteJob, rows: readonly AttemptRow[]): Promise<void>
  /**
   * Publishes the refusals that are recorded for the step, because their owner may have crashed before it
   * did.
   */
  endStepAgain(job: RouteJob): Promise<void>
  /**
   * Calls `endStepAgain` some seconds later, without delaying the step: a previous owner that is cut off may
   * record a refusal when it is connected again.
   */
  endStepLater(job: RouteJob): void
}

/**
 * Everything outside a step that its transitions use: the route, the carrier and the durable writes. A durable write is
 * retried while its service is unavailable, and rejects with `ProcessStopping` if the route stops in the meantime; it may
 * then have been done or not.
 */
export interface StepPorts extends ResolvePorts {
  /** True if the carrier recognizes a repeated submission by its reference. */
  readonly isRepeatable: boolean
  readonly isStopping: boolean
  readonly isLinked: boolean

  toParts(job: RouteJob): readonly SubmittedPart[]
  /** Creates a claim with a new token. */
  createClaim(job: RouteJob): StepClaim
  /** Returns where an unclaimed step goes if the route is closed; null if it is open. */
  findReturn(job: RouteJob): StepReturn | null
  /** Applies the trust rules. */
  checkRules(job: RouteJob): RuleDecision | null

  /**
   * Waits for the link, the rate and the window of the route, and for other steps. While the route stops, only remaining
   * parts (`isRest`) are still admitted.
   */
  enter(step: DeliveredStep, parts: number, isRest: boolean): Promise<AdmissionResult>
  /** Ends the occupation of the window by admitted parts. */
  leave(parts: number): void
  /** Like `leave`, for parts that were not submitted: also gives back their part of the rate. */
  returnUnused(parts: number): void
  /** Pauses the whole route, because the carrier requested it. */
  pause(ms: number): void
  /** Waits before a retry. Resolves to false if the route stops in the meantime. */
  delay(ms: number): Promise<boolean>

  /** Submits parts; resolves to one outcome per part and never rejects. */
  submit(job: RouteJob, parts: readonly SubmittedPart[]): Promise<readonly SubmitOutcome[]>
  /** Repeats parts that a previous owner may have submitted; each outcome is `accepted` or `unknown`. */
  repeat(job: RouteJob, parts: readonly SubmittedPart[]): Promise<readonly SubmitOutcome[]>

  /** Gives back the unused claim that the job names; resolves to the job without it. */
  returnPreviousClaim(job: RouteJob): Promise<RouteJob>
  claim(claim: StepClaim): Promise<StepClaimResult>
  /** Replaces the claim of a previous owner of this route; only used if the carrier recognizes repeats. */
  takeOver(claim: StepClaim): Promise<boolean>
  returnClaim(claim: StepClaim): Promise<void>
  /**
   * Publishes outcomes to settle, which records them. Never rejects while the process runs, because no other
   * process knows them.
   */
  publishOutcomes(rows: readonly AttemptRow[], token: number): Promise<void>
  /** Publishes the job for the next owner of the route. Never rejects while the process runs. */
  publishForNextOwner(job: RouteJob): Promise<void>
  /** Publishes a refused step to settle. */
  endStep(job: RouteJob, refusal: RefusedAttempt): Promise<void>
  /** Moves the step to another queue, to the waiting table or to settle. */
  returnStep(job: RouteJob, how: StepReturn): Promise<void>
}
