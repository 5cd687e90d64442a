/**
 * The states of a step at a route, from its delivery to its acknowledgement. A state holds everything that its
 * transition needs; `run.ts` has one function per state, which writes at most once and returns the next state.
 */
import type { Lane } from '../../../channels/lane.ts'
import type { RouteJob } from '../../../jobs/jobs.ts'
import type { AttemptRow, Refusal } from '../../../records/attempts/attempts.ts'
import type { ClaimResult, StepClaim } from '../../../records/messages/claim.ts'
import type { Denial } from '../../../trust/rule-group.ts'
import type { RuleId } from '../../../trust/rules.ts'
import type { SubmittedPart } from './submission.ts'

/** A delivered step. `job.tries` counts the submissions that the carrier certainly did not accept. */
export interface DeliveredStep {
  readonly lane: Lane
  readonly job: RouteJob
  /** Aborts when the broker is about to take the delivery back, or has done so. */
  readonly delivery: AbortSignal | undefined
  /** `performance.now()` at the delivery. */
  readonly startedMs: number
}

/** Where a step goes that this route does not submit now. */
export type StepReturn =
  /** The step waits for capacity of this route. */
  | { readonly kind: 'same-route' }
  /** Another route takes the step immediately. */
  | { readonly kind: 'other-route' }
  /** Any route takes the step after this time; `rule` names the trust rule that delays it. */
  | { readonly kind: 'later'; readonly afterMs: number; readonly rule?: RuleId }
  | { readonly kind: 'failed' }

type Parts = readonly SubmittedPart[]

/** How the route goes on after a submission that the carrier certainly did not accept. */
export interface Setback {
  /** The pause that the carrier requested. */
  readonly pauseMs: number
  /** Counts against the maximum number of tries. */
  readonly failed: boolean
}

/** The parts to submit, the claim that allows it, and the parts that occupy the window of the route. */
interface Claimed {
  readonly parts: Parts
  readonly claim: StepClaim
  readonly admitted: number
}

/** Answers of the carrier, and the parts that it certainly did not accept. */
interface Answered {
  readonly rows: readonly AttemptRow[]
  readonly claim: StepClaim
  readonly rest: Parts
  readonly setback: Setback
}

interface StateFields {
  received: object
  'taking-over-rest': { readonly rest: NonNullable<RouteJob['rest']> }
  waiting: { readonly parts: Parts }
  /** With a denial the step is claimed to record that a trust rule refuses it. */
  claiming: { readonly parts: Parts; readonly denial: FailDenial | null; readonly admitted: number }
  'taking-over': Claimed
  repeating: Claimed
  submitting: Claimed
  recording: Answered & { readonly admitted: number }
  'handing-over': Answered
  ending: { readonly refusal: Refusal }
  'returning-claim': Claimed & { readonly setback: Setback }
  retrying: { readonly parts: Parts; readonly afterMs: number }
  'waiting-rest': { readonly parts: Parts; readonly claim: StepClaim }
  'submitting-rest': Claimed
  'retrying-rest': { readonly parts: Parts; readonly claim: StepClaim; readonly afterMs: number }
  resolving: { readonly parts: Parts; readonly result: Exclude<ClaimResult, 'claimed'> }
  'ending-again': object
  'returning-step': { readonly how: StepReturn }
  'passing-on': object
  /** Unless `endsCopies`, a copy of the job that arrived in the meantime runs, because it may be the only one left. */
  done: { readonly endsCopies: boolean }
  abandoned: object
}

export type FailDenial = Extract<Denial, { readonly verdict: 'fail' }>
export type StateName = keyof StateFields

export type StepState<Name extends StateName = StateName> = {
  readonly [N in Name]: { readonly name: N; readonly step: DeliveredStep } & StateFields[N]
}[Name]

/** What PostgreSQL, the queue and the next owner of the route make of a step whose process crashes in a state. */
export type CrashResult =
  /** The job is delivered again, and the next owner submits the step. */
  | 'submitted'
  /** The job is delivered again. The next owner finds the claim and records `unknown`, or repeats at a carrier that recognizes repeats. */
  | 'unknown'
  /** The job is delivered again, and the next owner finds what is recorded. */
  | 'recorded'

export interface Transition {
  /** The next state by what happens in this one. */
  readonly on: Readonly<Record<string, StateName>>
  /** What is durable on entry, besides the job in its queue. */
  readonly durable: string
  readonly crash: CrashResult
}

/**
 * The transition table. The types of `run.ts` admit no transition that is not listed here, and the model test takes every
 * listed one. Two transitions are to come: `recording` will look up the status of an unknown submission where the carrier
 * offers that, and `waiting` will end the step of a cancelled batch.
 */
export const transitions = {
  received: {
    durable: 'nothing; or a claim that the previous owner names in the job and did not use',
    on: { ready: 'waiting', 'names the rest of a message': 'taking-over-rest', stopping: 'abandoned' },
    crash: 'submitted',
  },
  'taking-over-rest': {
    durable: "the previous owner's claim and the answers to other parts",
    on: {
      'taken over': 'waiting-rest',
      'held by another owner, or divided in other parts': 'resolving',
      stopping: 'passing-on',
    },
    crash: 'unknown',
  },
  waiting: {
    durable: 'nothing',
    on: {
      admitted: 'claiming',
      'refused by a rule': 'claiming',
      'delayed by a rule': 'returning-step',
      'closed, moved or held': 'returning-step',
      'deadline passed': 'done',
      stopping: 'abandoned',
    },
    crash: 'submitted',
  },
  claiming: {
    durable: 'perhaps the claim',
    on: {
      claimed: 'submitting',
      'claimed to be refused': 'recording',
      'held by an owner whose submission can be repeated': 'taking-over',
      'held by another owner': 'resolving',
      stopping: 'passing-on',
    },
    crash: 'unknown',
  },
  'taking-over': {
    durable: "the previous owner's claim, or this one",
    on: { 'taken over': 'repeating', 'recorded in the meantime': 'resolving', stopping: 'abandoned' },
    crash: 'unknown',
  },
  repeating: {
    durable: 'the claim; the previous owner may have submitted every part',
    on: { answered: 'recording' },
    crash: 'unknown',
  },
  submitting: {
    durable: 'the claim',
    on: { answered: 'recording', 'no part answered': 'returning-claim' },
    crash: 'unknown',
  },
  recording: {
    durable: 'the claim, and perhaps the answers',
    on: {
      'all recorded': 'done',
      'a part was refused': 'ending',
      'parts are left': 'waiting-rest',
      'parts are left after a failure': 'retrying-rest',
      'stopping, or refused where another owner may repeat': 'handing-over',
      'stopping, and the next owner repeats': 'abandoned',
    },
    crash: 'unknown',
  },
  'handing-over': {
    durable: 'the claim, and perhaps the answers, in PostgreSQL or in the queue of settle',
    on: {
      'handed over': 'done',
      'parts are left': 'waiting-rest',
      'parts are left after a failure': 'retrying-rest',
    },
    crash: 'unknown',
  },
  ending: {
    durable: 'the claim and a refusal',
    on: { published: 'done', stopping: 'abandoned' },
    crash: 'recorded',
  },
  'returning-claim': {
    durable: 'the claim, or its return',
    on: {
      returned: 'waiting',
      'returned after a failure': 'retrying',
      'returned, tried often enough, or stopping': 'returning-step',
      'stopping, perhaps not returned': 'passing-on',
    },
    crash: 'unknown',
  },
  retrying: {
    durable: 'nothing',
    on: { 'time has passed': 'waiting', stopping: 'abandoned' },
    crash: 'submitted',
  },
  'waiting-rest': {
    durable: 'the claim and the answers to other parts',
    on: {
      admitted: 'submitting-rest',
      'held, or stopping': 'passing-on',
      'deadline passed': 'done',
    },
    crash: 'unknown',
  },
  'submitting-rest': {
    durable: 'the claim and the answers to other parts',
    on: {
      answered: 'recording',
      'no part answered': 'waiting-rest',
      'no part answered after a failure': 'retrying-rest',
    },
    crash: 'unknown',
  },
  'retrying-rest': {
    durable: 'the claim and the answers to other parts',
    on: { 'time has passed': 'waiting-rest', stopping: 'passing-on' },
    crash: 'unknown',
  },
  resolving: {
    durable: "another owner's claim, and perhaps its answers",
    on: { 'unknown recorded': 'done', 'answers are recorded': 'ending-again', stopping: 'abandoned' },
    crash: 'unknown',
  },
  'ending-again': {
    durable: 'an answer to every part',
    on: { 'refusals published': 'done', stopping: 'abandoned' },
    crash: 'recorded',
  },
  'returning-step': {
    durable: 'perhaps its next place: a queue, the waiting table or settle',
    on: { returned: 'done', stopping: 'abandoned' },
    crash: 'submitted',
  },
  'passing-on': {
    durable: 'perhaps a second job, which names the claim or the parts that are left',
    on: { published: 'done' },
    crash: 'unknown',
  },
  /** The job is acknowledged. */
  done: { durable: 'the outcome, or the next place of the step', on: {}, crash: 'recorded' },
  /** The job returns to its queue, where it is for the next owner. */
  abandoned: { durable: 'as in the state before', on: {}, crash: 'submitted' },
} as const satisfies Readonly<Record<StateName, Transition>>

type On<Name extends StateName> = (typeof transitions)[Name]['on']

/** The states that may follow a state. */
export type NextState<Name extends StateName> = StepState<Extract<On<Name>[keyof On<Name>], StateName>>

/** The states with work to do. */
export type ActiveName = Exclude<StateName, 'done' | 'abandoned'>
