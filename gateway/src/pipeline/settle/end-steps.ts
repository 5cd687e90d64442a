/**
 * Ends steps, in the transaction of settle or of the deadlines. A step that ends goes one of four ways:
 *
 * | Way       | Durable after the commit                    | After a crash before the release   |
 * | --------- | ------------------------------------------- | ---------------------------------- |
 * | rerouted  | the next try, and its entry in the outbox   | the outbox sweep releases the try  |
 * | continued | the next step, and its entry in the outbox  | the outbox sweep releases the step |
 * | closed    | the report; the in-flight row is deleted    | nothing is left to do              |
 * | none      | nothing: another worker had ended the step  | nothing is left to do              |
 *
 * A failed step continues with the next one of its flow. It closes its message if it is the last that may be
 * sent, if its account is blocked, or if it may have been delivered and its account wants no fallback then.
 */
import type { ReceiptJob, VerdictJob } from '../../jobs/jobs.ts'
import type { MessageTrace } from '../../jobs/message-trace.ts'
import { inKeyOrder, stepId, type StepKey } from '../../jobs/step-key.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { RefusedAttempt } from '../../records/attempts/attempts.ts'
import type { MatchedPart } from '../../records/attempts/match.ts'
import { lockRetryable, startNextSteps, startNextTries } from '../../records/messages/advance.ts'
import { closeMessages, type ClosedMessage, type EndedStep } from '../../records/messages/close.ts'
import { enqueueRetries, enqueueSteps, type Outbox } from '../scheduling/outbox.ts'
import { isOneOfSeveral } from './match.ts'

export interface StepEnds {
  /** Steps that closed their message. */
  readonly closed: readonly ClosedMessage[]
  /** Steps after which the next one of their flow was started. */
  readonly continued: readonly EndedStep[]
  /** Steps that are retried with another carrier. */
  readonly rerouted: readonly EndedStep[]
}

/** Maximum submissions of a step, each as another try, because every one of them may be delivered. */
export const maxSubmissions = 3

export function fromVerdict(job: VerdictJob): EndedStep {
  const { msgKey, step, try: nth, cause, reportCode, parts, carrier, portedTo, state } = job
  const at = new Date(job.at)
  return { msgKey, step, try: nth, cause, reportCode, parts, carrier, portedTo, sentAt: at, at, state }
}

/** Converts a refused part, which fails its step. */
export function fromRefusal(refusal: RefusedAttempt): EndedStep {
  const { msgKey, step, try: nth, cause, reportCode, parts, carrier, submittedAt: at } = refusal
  return {
    msgKey,
    step,
    try: nth,
    cause: cause ?? 'refused',
    reportCode,
    parts,
    carrier: carrier ?? undefined,
    portedTo: isOneOfSeveral(refusal) ? undefined : refusal.portedTo,
    sentAt: at,
    at,
    state: 'claimed',
  }
}

/** Converts the receipt of a part that decides its step. */
export function fromReceipt(part: MatchedPart, receipt: ReceiptJob): EndedStep {
  // If one part of several failed at a ported number, others may be delivered, so the step is not retried.
  const isPorted = receipt.result === 'failed' && !isOneOfSeveral(part)
  return {
    msgKey: part.msgKey,
    step: part.step,
    try: part.try,
    cause: receipt.cause,
    reportCode: receipt.reportCode,
    parts: part.parts,
    carrier: receipt.carrier ?? part.carrier ?? undefined,
    portedTo: isPorted ? receipt.portedTo : undefined,
    uncertain: receipt.cause === 'outcome-unknown' ? 'unknown' : undefined,
    userType: receipt.userType,
    sentAt: part.submittedAt,
    at: plausibleTime(receipt, part.submittedAt),
  }
}

/**
 * Returns the receipt's time, but never before the submission or in the future: a carrier's clock may be
 * wrong, and many send whole minutes.
 */
function plausibleTime(receipt: ReceiptJob, submittedAt: Date): Date {
  return new Date(Math.max(Math.min(receipt.at, receipt.receivedAt), submittedAt.getTime()))
}

/**
 * Keeps the first end of each step. An end that requires a state counts only if no other end of the step
 * requires none: the receipt of a part shows that its step was submitted. Ends that require different states
 * are all kept, because at most one of them takes effect and it is not known yet which one.
 */
export function withoutConflicts(ends: readonly EndedStep[]): EndedStep[] {
  return [...Map.groupBy(ends, stepId).values()].flatMap((stepEnds) => {
    const unconditional = stepEnds.find(({ state }) => state === undefined)
    if (unconditional !== undefined) return [unconditional]
    return [...new Map(stepEnds.toReversed().map((end) => [end.state, end])).values()]
  })
}

export async function endOrReroute(
  transaction: Queryable,
  steps: readonly EndedStep[],
  outbox: Pick<Outbox, 'hasOtherRoute' | 'stepTtlSeconds'>,
): Promise<StepEnds> {
  const rerouted = await rerouteSteps(transaction, steps, outbox)
  const ids = new Set(rerouted.map(stepId))
  const otherSteps = steps.filter((step) => !ids.has(stepId(step)))
  return { ...(await endSteps(transaction, otherSteps, outbox.stepTtlSeconds)), rerouted }
}

export async function endSteps(
  transaction: Queryable,
  unsorted: readonly EndedStep[],
  stepTtlSeconds: number,
): Promise<StepEnds> {
  const steps = inKeyOrder(unsorted)
  const failed = steps.filter(
    ({ cause, last }) => cause !== 'delivered' && cause !== 'account-stopped' && last !== true,
  )
  const { ended, started, stopped } = await startNextSteps(transaction, failed, stepTtlSeconds)
  await enqueueSteps(transaction, started)
  const continued = new Set(started.map(({ msgKey }) => msgKey))
  const ofBlocked = new Set(stopped)
  const closing = steps.flatMap((step) => {
    if (continued.has(step.msgKey)) return []
    return step.cause === 'account-stopped' || ofBlocked.has(step) ? [{ ...step, last: true }] : [step]
  })
  return { closed: await closeMessages(transaction, closing), continued: ended, rerouted: [] }
}

/**
 * Starts another try of the steps whose recipient was ported to another carrier, if the router chooses
 * another route: the carrier that reported the porting has certainly not delivered them. Each try has its own
 * reference and claim, within the deadline of the step.
 */
async function rerouteSteps(
  transaction: Queryable,
  ending: readonly EndedStep[],
  outbox: Pick<Outbox, 'hasOtherRoute'>,
): Promise<EndedStep[]> {
  const ported = new Map(
    ending
      .filter((step) => step.portedTo !== undefined && step.try < maxSubmissions)
      .map((step) => [stepId(step), step]),
  )
  if (ported.size === 0) return []
  const locked = await lockRetryable(transaction, [...ported.values()], clock.cutoff(0))
  const servable = locked.filter((step) => {
    const { accountId, channel, to, msgKey, routeId } = step
    const carrier = ported.get(stepId(step))!.portedTo!
    return to !== null && outbox.hasOtherRoute({ accountId, channel, to, msgKey, carrier }, routeId)
  })
  if (servable.length === 0) return []
  await enqueueSteps(transaction, await startNextTries(transaction, servable))
  return servable.map((step) => ported.get(stepId(step))!)
}

export interface Resend extends StepKey {
  /** Time between the last submission and its deadline; at least a second is used. */
  readonly ttlMs: number
}

/**
 * Starts the next try of steps that may have been submitted and got no receipt by their deadline. Each try
 * has its own deadline. The caller must lock the rows; the outbox sweep releases the tries.
 */
export async function resendSteps(transaction: Queryable, steps: readonly Resend[]): Promise<void> {
  if (steps.length === 0) return
  const now = clock.now()
  const started = await startNextTries(
    transaction,
    steps.map(({ ttlMs, ...key }) => ({ ...key, dueAt: new Date(now + Math.max(1_000, ttlMs)) })),
  )
  await enqueueRetries(transaction, started)
}

export interface PublishContext {
  readonly outbox: Pick<Outbox, 'release'>
  readonly metrics: Pick<Metrics, 'closed'>
  readonly trace?: MessageTrace | undefined
}

/**
 * Counts and traces the ends, and releases the next steps and tries. Must be called after the commit, or a
 * route could take a step that does not exist yet. `decidedBy` has the part whose receipt decided, by step
 * id; `startedMs` is the start of the batch, by `performance.now()`.
 */
export async function publishEnds(
  { outbox, metrics, trace }: PublishContext,
  { closed, continued, rerouted }: StepEnds,
  startedMs: number,
  decidedBy: ReadonlyMap<string, MatchedPart> = new Map(),
): Promise<void> {
  for (const [code, { length }] of Map.groupBy(closed, (message) => message.code))
    metrics.closed.inc({ code }, length)
  for (const { step, code } of closed)
    trace?.addReported(step, code, decidedBy.get(stepId(step)), { startedMs })
  for (const step of continued) trace?.addAdvanced(step, decidedBy.get(stepId(step)), { startedMs })
  const portedTo = new Map(rerouted.map((step) => [step.msgKey, step.portedTo!]))
  await outbox.release([...continued.map(({ msgKey }) => msgKey), ...portedTo.keys()], portedTo)
}
