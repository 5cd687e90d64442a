/**
 * Releases steps that wait in the record to where they go now. A row is removed when its job is durable elsewhere; that
 * of a step which waits on has been moved, and stays. Who may release a step is not decided here.
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
