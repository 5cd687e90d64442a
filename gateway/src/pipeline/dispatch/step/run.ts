/**
 * Runs one step at a route: claims it before it is submitted, and records its outcomes before the job is
 * acknowledged. Each state of `states.ts` has one function, which makes at most one durable write. A crash, a
 * lost reply or a stop between two states therefore leaves a situation that the next owner of the route can
 * resolve without submitting a part twice.
 */
import { clock } from '../../../platform/time/clock.ts'
import { SubscriptionLost } from '../../../platform/broker/consume.ts'
import { ProcessStopping, settleUnlessStopping } from '../../../platform/database/retry.ts'
import { enterState } from '../../../platform/transitions.ts'
import type { AttemptRow } from '../../../records/attempts/attempts.ts'
import type { StepClaim } from '../../../records/messages/claim.ts'
import type { RuleDecision } from '../../../trust/rule-group.ts'
import { resolveStep } from './resolve.ts'
import { denialOutcome, sortOutcomes, toAttempt, type SortedOutcomes } from './outcomes.ts'
import type { StepPorts } from './ports.ts'
import { decideRetry } from './retries.ts'
import {
  transitions,
  type ActiveName,
  type DeliveredStep,
  type FailDenial,
  type NextState,
  type Setback,
  type DispatchState,
} from './states.ts'
import type { SubmittedPart } from './submission.ts'

/** Delay between retries of parts that cannot leave this route, after the retries of `decideRetry`. */
const restRetryMs = 5_000

/**
 * Resolves when the job may be acknowledged. Rejects if it must return to its queue, because the route is stopping,
 * and if a write fails permanently.
 */
export async function runStep(ports: StepPorts, step: DeliveredStep): Promise<DispatchState<'done'>> {
  let state: DispatchState = { name: 'received', step }
  while (state.name !== 'done') {
    if (state.name === 'abandoned') throw new ProcessStopping('the route is stopping')
    state = await advance(ports, state)
  }
  return state
}

/** Runs one transition, and frees the window of the route if the next state does not occupy it. */
export async function advance(ports: StepPorts, state: DispatchState<ActiveName>): Promise<DispatchState> {
  const run = functions[state.name] as (ports: StepPorts, from: DispatchState) => Promise<DispatchState>
  const admitted = 'admitted' in state ? state.admitted : 0
  let next: DispatchState | undefined
  try {
    next = await run(ports, state)
    enterState(transitions, state.name, next.name)
    return next
  } finally {
    const isKept = next !== undefined && 'admitted' in next && next.admitted > 0
    if (admitted > 0 && !isKept) ports.leave(admitted)
  }
}

const functions: {
  readonly [Name in ActiveName]: (
    ports: StepPorts,
    state: DispatchState<Name>,
  ) => NextState<Name> | Promise<NextState<Name>>
} = {
  received,
  waiting: waitForTurn,
  claiming: claimStep,
  'taking-over': takeOver,
  repeating: repeat,
  submitting: submit,
  recording: record,
  'handing-over': handOver,
  ending: endStep,
  'returning-claim': returnClaim,
  retrying: waitToRetry,
  'waiting-rest': waitForTurnOfRest,
  'submitting-rest': submitRest,
  'retrying-rest': waitToRetryRest,
  resolving: resolveStep,
  'ending-again': endStepAgain,
  'returning-step': returnStep,
  'passing-on': passOn,
}

async function received(
  ports: StepPorts,
  { step }: DispatchState<'received'>,
): Promise<NextState<'received'>> {
  const job =
    step.job.unsubmittedClaim === undefined
      ? step.job
      : await settleUnlessStopping(ports.returnPreviousClaim(step.job))
  if (job === 'stopping') return { name: 'abandoned', step }
  return { name: 'waiting', step: { ...step, job }, parts: ports.toParts(job) }
}

async function waitForTurn(
  ports: StepPorts,
  { step, parts }: DispatchState<'waiting'>,
): Promise<NextState<'waiting'>> {
  const { job } = step
  const how = ports.findReturn(job)
  if (how !== null) return { name: 'returning-step', step, how }
  // Check before entering, so a step that a rule stops takes none of the route's rate.
  const denial = ports.checkRules(job)
  if (denial !== null) return stopDenied(step, parts, denial)
  const admission = await ports.enter(step, parts.length, false)
  if (admission === 'stopping') return { name: 'abandoned', step }
  // Settle ends the step at its deadline, so the job is done.
  if (admission === 'expired') return { name: 'done', step, endsCopies: true }
  if (admission === 'moved') return { name: 'returning-step', step, how: { kind: 'other-route' } }
  if (admission === 'held') return { name: 'returning-step', step, how: { kind: 'same-route' } }
  // Check again, because the step may have waited for a long time.
  const denialNow = ports.checkRules(job)
  if (denialNow === null) return { name: 'claiming', step, parts, denial: null, admitted: parts.length }
  ports.returnUnused(parts.length)
  return stopDenied(step, parts, denialNow)
}

/** Claims a step before it fails, because a previous owner of the route may have submitted it. */
function stopDenied(
  step: DeliveredStep,
  parts: readonly SubmittedPart[],
  denial: RuleDecision,
): DispatchState<'returning-step' | 'claiming'> {
  if (denial.verdict === 'fail') return { name: 'claiming', step, parts, denial, admitted: 0 }
  const afterMs = Math.max(0, denial.until - clock.now())
  return { name: 'returning-step', step, how: { kind: 'later', afterMs, rule: denial.rule } }
}

async function claimStep(
  ports: StepPorts,
  { step, parts, denial, admitted }: DispatchState<'claiming'>,
): Promise<NextState<'claiming'>> {
  const claim = ports.createClaim(step.job)
  const result = await settleUnlessStopping(ports.claim(claim))
  if (result === 'stopping') return passOnUnsubmitted(step, claim)
  if (result === 'claimed') {
    if (denial === null) return { name: 'submitting', step, parts, claim, admitted }
    const rows = toDenialRows(ports, step, parts, denial)
    return { name: 'recording', step, rows, claim, rest: [], setback: noSetback, admitted: 0 }
  }
  if (result === 'unanswered' && ports.isRepeatable && denial === null)
    return { name: 'taking-over', step, parts, claim, admitted }
  return { name: 'resolving', step, parts, result }
}

const noSetback: Setback = { pauseMs: 0, failed: false }

async function takeOver(
  ports: StepPorts,
  { step, parts, claim, admitted }: DispatchState<'taking-over'>,
): Promise<NextState<'taking-over'>> {
  const isTaken = await settleUnlessStopping(ports.takeOver(claim))
  if (isTaken === 'stopping') return { name: 'abandoned', step }
  if (!isTaken) return { name: 'resolving', step, parts, result: 'unanswered' }
  return { name: 'repeating', step, parts, claim, admitted }
}

async function repeat(
  ports: StepPorts,
  { step, parts, claim, admitted }: DispatchState<'repeating'>,
): Promise<NextState<'repeating'>> {
  const { recorded: outcomes } = sortOutcomes(parts, await ports.repeat(step.job, parts))
  return {
    name: 'recording',
    step,
    rows: toRows(ports, step, outcomes),
    claim,
    rest: [],
    setback: noSetback,
    admitted,
  }
}

async function submit(
  ports: StepPorts,
  { step: before, parts, claim, admitted }: DispatchState<'submitting'>,
): Promise<NextState<'submitting'>> {
  const sorted = sortOutcomes(parts, await ports.submit(before.job, parts))
  const step = countTry(ports, before, sorted)
  if (sorted.recorded.length === 0)
    return { name: 'returning-claim', step, parts, claim, admitted, setback: sorted }
  const rows = toRows(ports, step, sorted.recorded)
  return { name: 'recording', step, rows, claim, rest: sorted.unaccepted, setback: sorted, admitted }
}

async function submitRest(
  ports: StepPorts,
  { step: before, parts, claim, admitted }: DispatchState<'submitting-rest'>,
): Promise<NextState<'submitting-rest'>> {
  const sorted = sortOutcomes(parts, await ports.submit(before.job, parts))
  const step = countTry(ports, before, sorted)
  if (sorted.recorded.length === 0) return continueRest(ports, step, claim, parts, sorted)
  const rows = toRows(ports, step, sorted.recorded)
  return { name: 'recording', step, rows, claim, rest: sorted.unaccepted, setback: sorted, admitted }
}

/**
 * Records outcomes. If another owner may repeat the step, a refusal goes to settle instead, which ignores it
 * once the claim is taken over. An owner that stops passes its outcomes to settle, except unknown ones that
 * will be repeated.
 */
async function record(ports: StepPorts, state: DispatchState<'recording'>): Promise<NextState<'recording'>> {
  const { step, rows, claim, rest, setback } = state
  const handingOver = { name: 'handing-over', step, rows, claim, rest, setback } as const
  const refusal = findRefusal(rows)
  if (ports.isRepeatable && refusal !== undefined) return handingOver
  if ((await settleUnlessStopping(ports.record(step.job, rows))) === 'stopping') {
    const isRepeated = ports.isRepeatable && rows.every(({ outcome }) => outcome === 'unknown')
    return isRepeated ? { name: 'abandoned', step } : handingOver
  }
  if (refusal === undefined && rest.length > 0) return continueRest(ports, step, claim, rest, setback)
  traceDispatched(ports, step, rows)
  return refusal === undefined ? { name: 'done', step, endsCopies: true } : { name: 'ending', step, refusal }
}

async function handOver(
  ports: StepPorts,
  { step, rows, claim, rest, setback }: DispatchState<'handing-over'>,
): Promise<NextState<'handing-over'>> {
  await ports.publishOutcomes(rows, claim.token)
  if (findRefusal(rows) === undefined && rest.length > 0)
    return continueRest(ports, step, claim, rest, setback)
  traceDispatched(ports, step, rows)
  return { name: 'done', step, endsCopies: true }
}

async function endStep(
  ports: StepPorts,
  { step, refusal }: DispatchState<'ending'>,
): Promise<NextState<'ending'>> {
  const ended = await settleUnlessStopping(ports.endStep(step.job, refusal))
  return ended === 'stopping' ? { name: 'abandoned', step } : { name: 'done', step, endsCopies: true }
}

/** Gives back the claim of a step that the carrier certainly did not accept. */
async function returnClaim(
  ports: StepPorts,
  { step, parts, claim, setback }: DispatchState<'returning-claim'>,
): Promise<NextState<'returning-claim'>> {
  if ((await settleUnlessStopping(ports.returnClaim(claim))) === 'stopping')
    return passOnUnsubmitted(step, claim)
  // The next owner may have received the job, found the claim and acknowledged the job, so place the step again.
  if (ports.isStopping) return { name: 'returning-step', step, how: { kind: 'same-route' } }
  if (setback.pauseMs > 0) ports.pause(setback.pauseMs)
  if (!setback.failed) return { name: 'waiting', step, parts }
  const next = decideRetry(step.job.tries ?? 0)
  if (next.kind !== 'retry') return { name: 'returning-step', step, how: next }
  return { name: 'retrying', step, parts, afterMs: next.afterMs }
}

async function waitToRetry(
  ports: StepPorts,
  { step, parts, afterMs }: DispatchState<'retrying'>,
): Promise<NextState<'retrying'>> {
  return (await ports.delay(afterMs)) ? { name: 'waiting', step, parts } : { name: 'abandoned', step }
}

/**
 * Waits for the turn of parts that must follow on this route, because the carrier has other parts of the message. A route
 * that stops still submits them while it drains. Without a turn until then, or until the broker takes the delivery back,
 * they become `unknown`.
 */
async function waitForTurnOfRest(
  ports: StepPorts,
  { step, parts, claim }: DispatchState<'waiting-rest'>,
): Promise<NextState<'waiting-rest'>> {
  // The scheduler removes overdue steps that wait in it, but this one may be overdue before it enters.
  const admission = isOverdue(step) ? 'held' : await ports.enter(step, parts.length, true)
  if (admission === 'expired') return { name: 'done', step, endsCopies: true }
  if (admission !== 'go') return giveUpRest(step, parts)
  return { name: 'submitting-rest', step, parts, claim, admitted: parts.length }
}

async function waitToRetryRest(
  ports: StepPorts,
  { step, parts, claim, afterMs }: DispatchState<'retrying-rest'>,
): Promise<NextState<'retrying-rest'>> {
  return (await ports.delay(afterMs)) ? { name: 'waiting-rest', step, parts, claim } : giveUpRest(step, parts)
}

/** A lost delivery does not count: its copy will join this step. */
export function isOverdue({ delivery }: Pick<DeliveredStep, 'delivery'>): boolean {
  return delivery?.aborted === true && !(delivery.reason instanceof SubscriptionLost)
}

function giveUpRest(step: DeliveredStep, parts: readonly SubmittedPart[]): DispatchState<'resolving'> {
  return { name: 'resolving', step, parts, result: 'unanswered' }
}

async function endStepAgain(
  ports: StepPorts,
  { step }: DispatchState<'ending-again'>,
): Promise<NextState<'ending-again'>> {
  const ended = await settleUnlessStopping(ports.endStepAgain(step.job))
  return ended === 'stopping' ? { name: 'abandoned', step } : { name: 'done', step, endsCopies: false }
}

async function returnStep(
  ports: StepPorts,
  { step, how }: DispatchState<'returning-step'>,
): Promise<NextState<'returning-step'>> {
  const returned = await settleUnlessStopping(ports.returnStep(step.job, how))
  return returned === 'stopping' ? { name: 'abandoned', step } : { name: 'done', step, endsCopies: false }
}

async function passOn(
  ports: StepPorts,
  { step }: DispatchState<'passing-on'>,
): Promise<NextState<'passing-on'>> {
  await ports.publishForNextOwner(step.job)
  return { name: 'done', step, endsCopies: true }
}

/** Continues with the remaining parts of a submission whose other parts have an outcome. */
function continueRest(
  ports: StepPorts,
  step: DeliveredStep,
  claim: StepClaim,
  parts: readonly SubmittedPart[],
  { pauseMs, failed }: Setback,
): DispatchState<'waiting-rest' | 'retrying-rest'> {
  if (pauseMs > 0) ports.pause(pauseMs)
  if (!failed) return { name: 'waiting-rest', step, parts, claim }
  const next = decideRetry(step.job.tries ?? 0)
  return {
    name: 'retrying-rest',
    step,
    parts,
    claim,
    afterMs: next.kind === 'retry' ? next.afterMs : restRetryMs,
  }
}

/** Names the claim in the job, so the next owner submits the step instead of recording it as unknown. */
function passOnUnsubmitted(step: DeliveredStep, { token }: StepClaim): DispatchState<'passing-on'> {
  return { name: 'passing-on', step: withJob(step, { unsubmittedClaim: token }) }
}

/**
 * Counts a failed submission. A failure that takes the link down costs no try, because the step waits for the
 * link.
 */
function countTry(ports: StepPorts, step: DeliveredStep, { failed }: SortedOutcomes): DeliveredStep {
  return failed && ports.isLinked ? withJob(step, { tries: (step.job.tries ?? 0) + 1 }) : step
}

function withJob(step: DeliveredStep, changes: Partial<DeliveredStep['job']>): DeliveredStep {
  return { ...step, job: { ...step.job, ...changes } }
}

function toRows(
  { attempts }: StepPorts,
  { job }: DeliveredStep,
  outcomes: SortedOutcomes['recorded'],
): AttemptRow[] {
  return outcomes.map(({ part, outcome }) => toAttempt(job, attempts, part, outcome, clock.date()))
}

function toDenialRows(
  ports: StepPorts,
  step: DeliveredStep,
  parts: readonly SubmittedPart[],
  denial: FailDenial,
): AttemptRow[] {
  const outcome = denialOutcome(denial)
  return toRows(
    ports,
    step,
    parts.map((part) => ({ part, outcome })),
  )
}

function findRefusal(rows: readonly AttemptRow[]): AttemptRow | undefined {
  return rows.find(({ outcome }) => outcome === 'refused')
}

function traceDispatched(
  { trace, attempts }: StepPorts,
  { job, startedMs }: DeliveredStep,
  rows: readonly AttemptRow[],
): void {
  const outcome = (findRefusal(rows) ?? rows[0])?.outcome ?? 'none'
  trace?.addDispatched(job, attempts.routeId, outcome, { startedMs })
}
