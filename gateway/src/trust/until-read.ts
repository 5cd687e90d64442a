/**
 * A message may be judged by a process that has not read yet what the process that accepted it has: a sender that was approved, an
 * account that was unblocked, a route that was added a moment before. Nothing ends for that: it is judged again when the data is newer
 * than the message. A process that cannot read holds it for ten seconds. They count from the first hold by the rule, and again for a step
 * that waited in a backlog since; and only while PostgreSQL answers: after an outage a message may be judged long after it was accepted or
 * held, and before anything is read again. Pure.
 */
import { timeOfKey } from '../contract/msg-key.ts'
import type { RouteJob } from '../jobs/jobs.ts'
import type { Denial } from './rule-group.ts'

/** The clocks of two processes agree to some milliseconds. */
const clockMs = 250
/** Data is read once a second. */
const againAfterMs = 1_250
/** After some readings that failed nothing new is expected: a step must not be judged again until its deadline. */
const maxWaitMs = 10_000

export interface ReadTimes {
  /** What the message was judged by was read at this time, in milliseconds. */
  readonly readAt: number
  readonly now: number
  /** Since when it is held to be judged again; absent: it was not. */
  readonly heldAt?: number | undefined
  /** Since when PostgreSQL answers without a break; absent: not known. */
  readonly answersSince?: number | undefined
}

type JudgedJob = Pick<RouteJob, 'msgKey' | 'dueAt' | 'heldAt' | 'heldWhy'>

/**
 * When a step is judged again whose message is newer than what was read; undefined: it is not, the step ends before, or it has
 * been held for too long.
 */
export function readAgainAt(job: JudgedJob, times: ReadTimes): number | undefined {
  const { readAt, now, heldAt, answersSince = -Infinity } = times
  const acceptedAt = timeOfKey(job.msgKey)
  // A message that is a little early is of a process whose clock is measured less well; one of the far future says nothing about now.
  const isNewer = acceptedAt + clockMs > readAt && acceptedAt <= now + maxWaitMs
  const since = Math.max(heldAt ?? ruleHeldAt(job) ?? now, answersSince)
  const mayWait = now - since <= maxWaitMs
  const until = now + againAfterMs
  return isNewer && mayWait && until < job.dueAt ? until : undefined
}

/** Not of a step that waited for its time or its turn: nothing has judged it yet. */
function ruleHeldAt({ heldAt, heldWhy }: JudgedJob): number | undefined {
  return heldWhy?.startsWith('rule:') === true ? heldAt : undefined
}

/**
 * `denial`, or a hold in its place for a message that is newer than what it was judged by. Not in the place of a hold: it ends nothing,
 * and all advertisements of a night would be judged twice, the second time by the one process that sweeps.
 */
export function untilRead(denial: Denial | null, job: JudgedJob, times: ReadTimes): Denial | null {
  if (denial?.verdict !== 'fail') return denial
  const until = readAgainAt(job, times)
  return until === undefined ? denial : { verdict: 'hold', rule: denial.rule, until }
}
