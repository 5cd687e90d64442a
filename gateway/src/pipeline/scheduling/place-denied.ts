/** Where a step goes that a rule of trust stops before it is submitted. Pure. Called by `place` and the releaser of a backlog. */
import type { RouteJob } from '../../jobs/jobs.ts'
import { clock } from '../../platform/clock.ts'
import type { Denial } from '../../trust/rule-group.ts'
import { toHeldStep, type HoldOptions } from './held-step.ts'
import type { Placement } from './placement.ts'

/** A rule that names a time in the past would otherwise have the step found again at once, and for ever. */
const minHoldMs = 1_000

export function placeDenied(
  job: RouteJob,
  { lane, parts }: Pick<HoldOptions, 'lane' | 'parts'>,
  denial: Denial,
): Placement {
  if (denial.verdict === 'fail') return { kind: 'failed', lane, cause: denial.cause }
  const releaseAt = new Date(Math.max(denial.until, clock.now() + minHoldMs))
  return {
    kind: 'hold',
    held: toHeldStep(job, { lane, parts, releaseAt, reason: 'rule', rule: denial.rule }),
  }
}
