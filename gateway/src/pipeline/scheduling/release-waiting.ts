/**
 * Places waiting steps again and releases them. A row is removed after its job is durable elsewhere; the row of a step
 * that keeps waiting has been updated and stays. A step that cannot be placed is parked. Callers decide which steps they may release: the outbox, and the owner
 * of a route whose steps are moved.
 */
import type { GroupPublisher } from '../../platform/broker/publish.ts'
import type { WaitingStep } from '../../records/waiting/waiting-step.ts'
import { removeWaiting } from '../../records/waiting/write-waiting.ts'
import { place, type PlaceContext, type PlaceOptions } from './place.ts'
import { releaseOrPark, type ReleaseOrParkContext } from './release-or-park.ts'
import { releasePlaced } from './release.ts'

export interface ReleaseWaitingContext extends PlaceContext, ReleaseOrParkContext {
  readonly publisher: GroupPublisher
}

export function releaseWaiting(
  context: ReleaseWaitingContext,
  steps: readonly WaitingStep[],
  options: PlaceOptions = {},
): Promise<void> {
  return releaseOrPark(context, steps, (batch) => releaseBatch(context, batch, options))
}

async function releaseBatch(
  context: ReleaseWaitingContext,
  steps: readonly WaitingStep[],
  options: PlaceOptions,
): Promise<void> {
  const placed = steps.flatMap(({ job, isLast, owedAt }) =>
    job === null ? [] : [{ job, placement: place(context, job, { ...options, isLast, owedAt }) }],
  )
  const held = await releasePlaced(context, placed)
  await removeWaiting(
    context.database,
    steps.filter(({ msgKey }) => !held.has(msgKey)),
  )
}
