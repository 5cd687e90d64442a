/**
 * Defers denials that are based on stale data. A process can check a message with data that is older than the
 * message: it has not yet read that a sender was approved, an account unblocked or a route added. Such a
 * message does not fail; it is checked again when the data is newer. A process that cannot read holds it for
 * ten seconds. This time counts from the first hold by a rule, and only while PostgreSQL responds: after an
 * outage a message can be checked long after it was accepted and before anything is read again.
 */
import { parseKeyTime } from '../contract/msg-key.ts'
import type { RouteJob } from '../jobs/jobs.ts'
import type { RuleDecision } from './rule-group.ts'

/** For clock differences between processes. */
const clockToleranceMs = 250
/** The data is read once per second, so by then it is newer than the message. */
const recheckDelayMs = 1_250
/** After several failed reads the step fails; it is not held until its deadline. */
const maxWaitMs = 10_000

export interface ReadTimes {
  /** When the data was read. */
  readonly readAt: number
  readonly now: number
  /** When the step was first held to be checked again. */
  readonly heldAt?: number | undefined
  /** When PostgreSQL began to respond without interruption. */
  readonly respondsSince?: number | undefined
}

type CheckedJob = Pick<RouteJob, 'msgKey' | 'dueAt' | 'heldAt' | 'heldWhy'>

/**
 * Returns when to check a step again whose message is newer than the data. Returns undefined if the data is
 * newer, the step ends earlier, or it has been held too long.
 */
export function computeRecheckTime(job: CheckedJob, times: ReadTimes): number | undefined {
  const { readAt, now, heldAt, respondsSince = -Infinity } = times
  const acceptedAt = parseKeyTime(job.msgKey)
  // A message slightly in the future comes from a less accurate clock; one far in the future proves nothing.
  const isNewer = acceptedAt + clockToleranceMs > readAt && acceptedAt <= now + maxWaitMs
  const since = Math.max(heldAt ?? ruleHeldAt(job) ?? now, respondsSince)
  const canWait = now - since <= maxWaitMs
  const until = now + recheckDelayMs
  return isNewer && canWait && until < job.dueAt ? until : undefined
}

/**
 * Returns when a rule first held the step. A step that waited for its time or its turn was not held by a
 * rule.
 */
function ruleHeldAt({ heldAt, heldWhy }: CheckedJob): number | undefined {
  return heldWhy?.startsWith('rule:') === true ? heldAt : undefined
}

/**
 * Turns a failure into a hold if the message is newer than the data. A hold is not changed: it ends nothing,
 * and all advertisements of a night would be checked twice.
 */
export function deferStaleDenial(
  denial: RuleDecision | null,
  job: CheckedJob,
  times: ReadTimes,
): RuleDecision | null {
  if (denial?.verdict !== 'fail') return denial
  const until = computeRecheckTime(job, times)
  return until === undefined ? denial : { verdict: 'hold', rule: denial.rule, until }
}
