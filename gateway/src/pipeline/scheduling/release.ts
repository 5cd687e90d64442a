/**
 * Carries out placements: publishes a step to its route's queue, writes it to the waiting table, or publishes its
 * failure to settle when no route serves it. Resolves when all of it is durable. Called by intake, dispatch and the
 * outbox.
 */
import type { StepKey } from '../../jobs/step-key.ts'
import type { RouteJob, VerdictJob } from '../../jobs/jobs.ts'
import type { Lane } from '../../channels/lane.ts'
import { holdSteps } from '../../records/waiting/waiting.ts'
import { clock } from '../../platform/clock.ts'
import type { GroupPublisher } from '../../platform/broker/publish.ts'
import type { Topology } from '../../jobs/queues.ts'
import type { Queryable } from '../../platform/database.ts'
import type { Placement } from './place.ts'

export interface ReleaseContext {
  readonly database: Queryable
  readonly publisher: GroupPublisher
  readonly topology: Topology
}

export interface PlacedStep {
  readonly job: RouteJob
  readonly placement: Placement
}

export async function releasePlaced(context: ReleaseContext, steps: readonly PlacedStep[]): Promise<void> {
  const held = steps.flatMap(({ placement }) => (placement.kind === 'hold' ? [placement.held] : []))
  await Promise.all([
    holdSteps(context.database, held),
    ...steps.map(({ job, placement }) => publishPlaced(context, job, placement)),
  ])
}

async function publishPlaced(context: ReleaseContext, job: RouteJob, placement: Placement): Promise<void> {
  if (placement.kind === 'release')
    await publishStep(context, placement.routeId, placement.lane, placement.job)
  if (placement.kind === 'unserved') await failStep(context, job, 'no-route')
}

export function publishStep(
  { publisher, topology }: Omit<ReleaseContext, 'database'>,
  routeId: string,
  lane: Lane,
  job: RouteJob,
): Promise<void> {
  return publisher.send(topology.lane(routeId, lane), JSON.stringify(job))
}

/** Ends a step that was not submitted, unless it is claimed by the time that settle receives the verdict. */
export function failStep(
  context: Omit<ReleaseContext, 'database'>,
  key: StepKey,
  cause: VerdictJob['cause'],
): Promise<void> {
  return publishVerdict(context, key, { cause, parts: 1, at: clock.now(), state: 'released' })
}

/** Publishes to settle that the step has failed, why, and when. */
export function publishVerdict(
  { publisher, topology }: Omit<ReleaseContext, 'database'>,
  { msgKey, step, try: nth }: StepKey,
  ending: Pick<VerdictJob, 'cause' | 'parts' | 'at' | 'state'>,
): Promise<void> {
  const verdict: VerdictJob = { v: 1, kind: 'verdict', msgKey, step, try: nth, ...ending }
  return publisher.send(topology.receipts, JSON.stringify(verdict))
}
