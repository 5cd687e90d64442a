/**
 * A process may check a message with data that is older than the message: it has not yet read that a sender was approved, an account
 * unblocked or a route added. Such a message does not fail; it is checked again when the data is newer. A process that cannot read
 * holds it for ten seconds. They count from the first hold by the rule, and only while PostgreSQL answers: after an outage a message
 * may be checked long after it was accepted and before anything is read again.
 */
import { timeOfKey } from '../contract/msg-key.ts'
import type { RouteJob } from '../jobs/jobs.ts'
import type { Denial } from './rule-group.ts'

/** The clocks of two processes differ by a few milliseconds. */
const clockMs = 250
/** Data is read once per second. */
const againAfterMs = 1_250
/** After several failed reads a step is not held until its deadline. */
const maxWaitMs = 10_000

export interface ReadTimes {
  /** When the data was read. */
  readonly readAt: number
  readonly now: number
  /** When the step was first held to be checked again. */
  readonly heldAt?: number | undefined
  /** When PostgreSQL began to answer without a break. */
  readonly answersSince?: number | undefined
}

type JudgedJob = Pick<RouteJob, 'msgKey' | 'dueAt' | 'heldAt' | 'heldWhy'>

/**
 * Returns when to check a step again whose message is newer than the data. Returns undefined if the data is newer, the step ends
 * before, or it has been held too long.
 */
export function readAgainAt(job: JudgedJob, times: ReadTimes): number | undefined {
  const { readAt, now, heldAt, answersSince = -Infinity } = times
  const acceptedAt = timeOfKey(job.msgKey)
  // A message slightly in the future comes from a less accurate clock; one far in the future proves nothing.
  const isNewer = acceptedAt + clockMs > readAt && acceptedAt <= now + maxWaitMs
  const since = Math.max(heldAt ?? ruleHeldAt(job) ?? now, answersSince)
  const mayWait = now - since <= maxWaitMs
  const until = now + againAfterMs
  return isNewer && mayWait && until < job.dueAt ? until : undefined
}

/** A step that waited for its time or its turn was not held by a rule. */
function ruleHeldAt({ heldAt, heldWhy }: JudgedJob): number | undefined {
  return heldWhy?.startsWith('rule:') === true ? heldAt : undefined
}

/**
 * Turns a failure into a hold if the message is newer than the data. A hold stays as it is: it ends nothing, and all advertisements of
 * a night would be checked twice.
 */
export function untilRead(denial: Denial | null, job: JudgedJob, times: ReadTimes): Denial | null {
  if (denial?.verdict !== 'fail') return denial
  const until = readAgainAt(job, times)
  return until === undefined ? denial : { verdict: 'hold', rule: denial.rule, until }
}
