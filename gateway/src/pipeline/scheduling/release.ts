import type { StepKey } from '../../jobs/step-key.ts'
import type { StepJob, VerdictJob } from '../../jobs/jobs.ts'
import { toWire } from '../../jobs/sealed.ts'
import type { Lane } from '../../channels/lane.ts'
import type { HeldStep } from '../../records/waiting/waiting-step.ts'
import { holdSteps } from '../../records/waiting/write-waiting.ts'
import { clock } from '../../platform/time/clock.ts'
import { channels } from '../../channels/registry.ts'
import { BrokerUnavailable, type GroupPublisher } from '../../platform/broker/publish.ts'
import type { Topology } from '../../jobs/queues.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { toHeldStep, type Placement } from './place.ts'

export interface ReleaseContext {
  readonly database: Queryable
  readonly publisher: GroupPublisher
  readonly topology: Topology
}

export interface PlacedStep {
  readonly job: StepJob
  readonly placement: Placement
}

/**
 * Carries out placements: publishes a step to the queue of its route's partition, writes it to the waiting
 * table, or publishes its failure to settle if no route serves it or a trust rule stops it. Steps that the
 * broker does not accept are written to the waiting table as well, and released when it accepts messages
 * again. Resolves when all of it is durable, with the keys of the messages whose step waits now.
 */
export async function releasePlaced(
  context: ReleaseContext,
  steps: readonly PlacedStep[],
): Promise<ReadonlySet<string>> {
  const held: HeldStep[] = []
  const published: PublishedStep[] = []
  for (const { job, placement } of steps) {
    if (placement.kind === 'hold') held.push(placement.held)
    else published.push({ job, placement })
  }
  const [refused] = await Promise.all([publishAll(context, published), holdSteps(context.database, held)])
  const unpublished = refused.map(toUnpublished)
  await holdSteps(context.database, unpublished)
  return new Set([...held, ...unpublished].map(({ msgKey }) => msgKey))
}

interface PublishedStep extends PlacedStep {
  readonly placement: Exclude<Placement, { readonly kind: 'hold' }>
}

/**
 * Returns the steps that the broker did not accept. The jobs of a broker message share a promise, which is
 * awaited once.
 */
async function publishAll(
  context: ReleaseContext,
  steps: readonly PublishedStep[],
): Promise<PublishedStep[]> {
  const groups = new Map<Promise<void>, PublishedStep[]>()
  const refusals: Promise<readonly PublishedStep[]>[] = []
  for (const step of steps) {
    const published = publishPlaced(context, step)
    const group = groups.get(published)
    if (group !== undefined) {
      group.push(step)
      continue
    }
    const beginning = [step]
    groups.set(published, beginning)
    refusals.push(unlessPublished(published, beginning))
  }
  return (await Promise.all(refusals)).flat()
}

function publishPlaced(context: ReleaseContext, { job, placement }: PublishedStep): Promise<void> {
  if (placement.kind === 'failed') return failStep(context, job, placement.cause)
  return publishStep(context, placement.routeId, placement.lane, placement.job)
}

async function unlessPublished(
  published: Promise<void>,
  steps: readonly PublishedStep[],
): Promise<readonly PublishedStep[]> {
  try {
    await published
    return []
  } catch (error) {
    if (!(error instanceof BrokerUnavailable)) throw error
    return steps
  }
}

/**
 * Returns the step to hold if the broker did not accept it. It may have arrived anyway, which is harmless: it
 * is claimed once.
 */
function toUnpublished({ job, placement }: PublishedStep): HeldStep {
  const releaseAt = clock.date()
  // Without a route, the outbox places it again.
  if (placement.kind === 'failed')
    return toHeldStep(job, { lane: placement.lane, parts: 1, releaseAt, reason: 'owed' })
  const { routeId: id, lane } = placement
  const parts = channels[job.content.channel].parts(job.content, job.msgKey).length
  return toHeldStep(job, {
    route: { id, reason: placement.job.why },
    lane,
    parts,
    releaseAt,
    reason: 'backlog',
  })
}

export function publishStep(
  { publisher, topology }: Omit<ReleaseContext, 'database'>,
  routeId: string,
  lane: Lane,
  job: StepJob,
): Promise<void> {
  return publisher.send(topology.getQueue(routeId), JSON.stringify(toWire({ ...job, routeId, lane })))
}

/** Ends a step that was not submitted, unless it is claimed by the time that settle receives the verdict. */
export function failStep(
  context: Omit<ReleaseContext, 'database'>,
  key: StepKey,
  cause: VerdictJob['cause'],
): Promise<void> {
  return publishVerdict(context, key, { cause, parts: 1, at: clock.now(), state: 'unclaimed' })
}

/** Publishes to settle that the step has failed, why, and when. */
export function publishVerdict(
  { publisher, topology }: Omit<ReleaseContext, 'database'>,
  key: StepKey,
  ending: StepEnding,
): Promise<void> {
  return publisher.send(topology.verdicts, JSON.stringify(toVerdict(key, ending)))
}

export type StepEnding = Pick<
  VerdictJob,
  'cause' | 'reportCode' | 'parts' | 'at' | 'state' | 'carrier' | 'portedTo'
>

export function toVerdict({ msgKey, step, try: nth }: StepKey, ending: StepEnding): VerdictJob {
  return { v: 1, kind: 'verdict', msgKey, step, try: nth, ...ending }
}
