/**
 * Releases waiting steps. A step that can never be released is parked and its row removed, so that it does not hold up the
 * others of its batch; its message ends at the deadline of the step, or when an operator drops the parked job. Called by
 * the outbox, the owner of a route and the relocation of routes that do not run.
 */
import { parkJob, type ParkContext } from '../../records/parked/park.ts'
import { flushIsolated } from '../../platform/isolation.ts'
import { isTransient, scopeOf } from '../../platform/transient.ts'
import type { WaitingStep } from '../../records/waiting/waiting-step.ts'
import { removeWaiting } from '../../records/waiting/write-waiting.ts'
import type { ReleaseContext } from './release.ts'

export interface ReleaseOrParkContext extends ReleaseContext, Pick<ParkContext, 'metrics' | 'log'> {
  readonly database: ParkContext['database']
}

/** `release` may be called again with a part of the steps: a step that is released twice is claimed once. */
export async function releaseOrPark(
  context: ReleaseOrParkContext,
  steps: readonly WaitingStep[],
  release: (steps: readonly WaitingStep[]) => Promise<void>,
): Promise<void> {
  const results = await flushIsolated(
    [...steps],
    async (batch) => {
      await release(batch)
      return batch
    },
    scopeOf,
  )
  const failures = results.flatMap((result, index) =>
    result.status === 'rejected' ? [{ step: steps[index]!, error: result.reason as Error }] : [],
  )
  const transient = failures.find(({ error }) => isTransient(error))
  for (const { step, error } of failures) if (!isTransient(error)) await parkStep(context, step, error)
  if (transient !== undefined) throw transient.error
}

async function parkStep(context: ReleaseOrParkContext, step: WaitingStep, error: Error): Promise<void> {
  const { publisher, ...parking } = context
  const { msgKey, step: nth, try: tryNumber, accountId } = step
  // The keys are enough for a retry and a drop: both read the step from its row in `in_flight`.
  const job = step.job ?? { v: 1, msgKey, accountId, step: nth, try: tryNumber }
  await parkJob({ ...parking, broker: { publisher } }, 'dispatch', job, error)
  await removeWaiting(context.database, [step])
}
