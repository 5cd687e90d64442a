/**
 * States of a step at a route, from the delivery of its job by the broker to the acknowledgement. A state holds
 * everything that its function in `run.ts` needs.
 */
import type { Lane } from '../../../channels/lane.ts'
import type { RouteJob } from '../../../jobs/jobs.ts'
import type { AttemptRow, RefusedAttempt } from '../../../records/attempts/attempts.ts'
import type { EndState } from '../../../platform/transitions.ts'
import type { StepClaimResult, StepClaim } from '../../../records/messages/claim.ts'
import type { RuleDecision } from '../../../trust/rule-group.ts'
import type { RuleId } from '../../../trust/rules.ts'
import type { SubmittedPart } from './submission.ts'

/** A delivered step. `job.tries` counts the submissions that failed while the link was up; `decideRetry` limits them. */
export interface DeliveredStep {
  readonly lane: Lane
  readonly job: RouteJob
  /** Aborts when the broker is about to take the delivery back, or has done so. */
  readonly delivery: AbortSignal | undefined
  /** Value of `performance.now()` at the delivery. */
  readonly startedMs: number
}

/** Destination of a step that this route does not submit now. */
export type StepReturn =
  /** The step waits for capacity of this route. */
  | { readonly kind: 'same-route' }
  /** Another route takes the step immediately; if none does, it waits for this route. */
  | { readonly kind: 'other-route' }
  /** Any route takes the step after this time; `rule` names the trust rule that delays it. */
  | { readonly kind: 'later'; readonly afterMs: number; readonly rule?: RuleId }
  | { readonly kind: 'failed' }

type Parts = readonly SubmittedPart[]

/** How the route continues after a submission that the carrier certainly did not accept. */
export interface Setback {
  /** Pause that the carrier requested. */
  readonly pauseMs: number
  /** Whether the submission counts against the maximum number of tries. */
  readonly failed: boolean
}

/** The parts to submit, the claim that allows it, and the parts that occupy the window of the route. */
interface Claimed {
  readonly parts: Parts
  readonly claim: StepClaim
  readonly admitted: number
}

/** Outcomes of submitted parts, and the parts that the carrier certainly did not accept. */
interface WithOutcomes {
  readonly rows: readonly AttemptRow[]
  readonly claim: StepClaim
  readonly rest: Parts
  readonly setback: Setback
}

interface StateFields {
  received: object
  waiting: { readonly parts: Parts }
  claiming: { readonly parts: Parts; readonly denial: FailDenial | null; readonly admitted: number }
  'taking-over': Claimed
  repeating: Claimed
  submitting: Claimed
  recording: WithOutcomes & { readonly admitted: number }
  'handing-over': WithOutcomes
  ending: { readonly refusal: RefusedAttempt }
  'returning-claim': Claimed & { readonly setback: Setback }
  retrying: { readonly parts: Parts; readonly afterMs: number }
  'waiting-rest': { readonly parts: Parts; readonly claim: StepClaim }
  'submitting-rest': Claimed
  'retrying-rest': { readonly parts: Parts; readonly claim: StepClaim; readonly afterMs: number }
  resolving: { readonly parts: Parts; readonly result: Exclude<StepClaimResult, 'claimed'> }
  'ending-again': object
  'returning-step': { readonly how: StepReturn }
  'passing-on': object
  /** If `endsCopies` is false, a copy of the job that arrived in the meantime runs, because it may be the only one left. */
  done: { readonly endsCopies: boolean }
  abandoned: object
}

export type FailDenial = Extract<RuleDecision, { readonly verdict: 'fail' }>
export type StateName = keyof StateFields

export type DispatchState<Name extends StateName = StateName> = {
  readonly [N in Name]: { readonly name: N; readonly step: DeliveredStep } & StateFields[N]
}[Name]

/**
 * The states that may follow each state. The types of `run.ts` admit no other transition, and the model test
 * takes every one of these. The job stays in its queue until the step is `done`, so after a crash the next
 * owner receives it, and the claim decides what that owner does in any state:
 *
 * | Claim                              | Outcomes   | The next owner                                  |
 * | ---------------------------------- | ---------- | ----------------------------------------------- |
 * | none                               |            | submits the step                                |
 * | one that the job names as not used |            | returns it and submits the step                 |
 * | any other                          | incomplete | records `unknown` for the parts without one [1] |
 * | any other                          | complete   | publishes the recorded refusals                 |
 *
 * [1] Or repeats these parts if the carrier recognizes repeats.
 */
export const transitions = {
  /** The job may name a claim that the previous owner has not used. */
  received: ['waiting', 'abandoned'],
  /** Unclaimed: the step waits for its turn at the route. */
  waiting: ['claiming', 'returning-step', 'done', 'abandoned'],
  /** The step is claimed to be submitted, or to record that a trust rule refuses it. */
  claiming: ['submitting', 'recording', 'taking-over', 'resolving', 'passing-on'],
  /** Claimed by a previous owner whose submission can be repeated. */
  'taking-over': ['repeating', 'resolving', 'abandoned'],
  /** Claimed: the previous owner may have submitted every part. */
  repeating: ['recording'],
  /** Claimed. */
  submitting: ['recording', 'returning-claim'],
  /** Claimed: the outcomes are about to be recorded. */
  recording: ['done', 'ending', 'waiting-rest', 'retrying-rest', 'handing-over', 'abandoned'],
  /**
   * Claimed: settle records the outcomes, because this owner stops, or because another owner may be repeating a
   * step that the carrier refused.
   */
  'handing-over': ['done', 'waiting-rest', 'retrying-rest'],
  /** Claimed, with a recorded refusal that settle must receive. */
  ending: ['done', 'abandoned'],
  /** Claimed: the carrier has certainly accepted no part. */
  'returning-claim': ['waiting', 'retrying', 'returning-step', 'passing-on'],
  /** Unclaimed: the step waits before it is submitted again. */
  retrying: ['waiting', 'abandoned'],
  /** Claimed, with outcomes of other parts: the remaining ones wait for their turn at this route. */
  'waiting-rest': ['submitting-rest', 'resolving', 'done'],
  'submitting-rest': ['recording', 'waiting-rest', 'retrying-rest'],
  'retrying-rest': ['waiting-rest', 'resolving'],
  /** No owner submits these parts again. Unless the step has ended, each one without an outcome becomes `unknown`. */
  resolving: ['done', 'ending-again', 'abandoned'],
  /** Claimed by another owner, which may have crashed before it published a recorded refusal. */
  'ending-again': ['done', 'abandoned'],
  /** Unclaimed: the step goes to another queue, to the waiting table or to settle. */
  'returning-step': ['done', 'abandoned'],
  /** A new job names the unused claim for the next owner. */
  'passing-on': ['done'],
  /** The job is acknowledged. */
  done: [],
  /** The job returns to its queue, because the route is stopping. */
  abandoned: [],
} as const satisfies Readonly<Record<StateName, readonly StateName[]>>

export type NextState<Name extends StateName> = DispatchState<(typeof transitions)[Name][number]>

/** The states with work to do. */
export type ActiveName = Exclude<StateName, EndState<typeof transitions>>
