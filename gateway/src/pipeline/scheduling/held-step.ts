/** A step as a row of the waiting table. Pure. Called where a step is placed, and where its release failed. */
import type { Lane } from '../../channels/lane.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import { whyHeld, type HeldStep } from '../../records/waiting/waiting-step.ts'

export interface HoldOptions extends Pick<
  HeldStep,
  'lane' | 'parts' | 'releaseAt' | 'reason' | 'rule' | 'resumeAt'
> {
  readonly lane: Lane
  /** The chosen route and why it was chosen; none is chosen yet when absent. */
  readonly route?: { readonly id: string; readonly reason?: string }
}

export function toHeldStep(
  job: RouteJob,
  { route, lane, parts, releaseAt, reason, rule, resumeAt }: HoldOptions,
): HeldStep {
  // Released and held again by the same rule, by a process that has read other data than the one that released it.
  const isHeldAgain = rule !== undefined && job.heldWhy === whyHeld({ reason, rule })
  return {
    msgKey: job.msgKey,
    step: job.step,
    try: job.try,
    accountId: job.accountId,
    routeId: route?.id ?? '',
    ...(route?.reason === undefined ? {} : { routeReason: route.reason }),
    lane,
    parts,
    tries: job.tries ?? 0,
    releaseAt,
    reason,
    ...(rule === undefined ? {} : { rule }),
    ...(resumeAt === undefined ? {} : { resumeAt }),
    ...(isHeldAgain && job.heldAt !== undefined ? { since: new Date(job.heldAt) } : {}),
  }
}
