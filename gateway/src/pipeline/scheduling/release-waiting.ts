/**
 * Places waiting steps again and releases them. A row is removed after its job is durable elsewhere; the row of a step
 * that keeps waiting has been updated and stays. Callers decide which steps they may release: the outbox, and the owner
 * of a route whose steps are moved.
 */
import { removeWaiting, type WaitingStep } from '../../records/waiting/waiting.ts'
import { place, type PlaceContext, type PlaceOptions } from './place.ts'
import { releasePlaced, type ReleaseContext } from './release.ts'

export interface ReleaseWaitingContext extends PlaceContext, ReleaseContext {}

export async function releaseWaiting(
  context: ReleaseWaitingContext,
  steps: readonly WaitingStep[],
  options: PlaceOptions = {},
): Promise<void> {
  const placed = steps.flatMap(({ job }) =>
    job === null ? [] : [{ job, placement: place(context, job, options) }],
  )
  await releasePlaced(context, placed)
  const held = new Set(
    placed.flatMap(({ job, placement }) => (placement.kind === 'hold' ? [job.msgKey] : [])),
  )
  await removeWaiting(
    context.database,
    steps.filter(({ msgKey }) => !held.has(msgKey)),
  )
}
