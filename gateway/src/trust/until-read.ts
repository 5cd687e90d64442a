/**
 * A message may be judged by a process that has not read yet what the process that accepted it has: a sender that was approved, an
 * account that was unblocked a moment before. Nothing ends for that: it is judged again when the data is newer than the message. Pure.
 */
import { timeOfKey } from '../contract/msg-key.ts'
import type { RouteJob } from '../jobs/jobs.ts'
import type { Denial } from './rule-group.ts'

/** The clocks of two processes agree to some milliseconds. */
const clockMs = 250
/** Data is read once a second. */
const againAfterMs = 1_250

export interface ReadTimes {
  /** What the message was judged by was read at this time, in milliseconds. */
  readonly readAt: number
  readonly now: number
}

/** `denial`, or a hold in its place for a message that is newer than what it was judged by. */
export function untilRead(
  denial: Denial | null,
  { msgKey, dueAt }: Pick<RouteJob, 'msgKey' | 'dueAt'>,
  { readAt, now }: ReadTimes,
): Denial | null {
  if (denial?.verdict !== 'fail') return denial
  const acceptedAt = timeOfKey(msgKey)
  const isNewer = acceptedAt + clockMs > readAt && acceptedAt <= now + clockMs
  const until = now + againAfterMs
  return isNewer && until < dueAt ? { verdict: 'hold', rule: denial.rule, until } : denial
}
