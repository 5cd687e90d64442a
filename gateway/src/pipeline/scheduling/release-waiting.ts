/**
 * Releases waiting steps in batches. A row is removed after its job is durable elsewhere. A step that can
 * never be released is parked, so it does not block the others of its batch. Four callers decide which steps
 * are released:
 *
 * | Caller                | Releases                                                                          |
 * | --------------------- | --------------------------------------------------------------------------------- |
 * | `outbox.ts`           | steps that this process has just started                                          |
 * | `backlog-releaser.ts` | steps that wait for a share of a route, by its owner, as far as there is capacity |
 * | `move-waiting.ts`     | steps that wait for a route whose carrier is unreachable, or which is disabled    |
 * | `stranded.ts`         | all other due steps, by the sweep of the outbox (`outbox-sweep.ts`)               |
 */
import type { StepJob } from '../../jobs/jobs.ts'
import type { GroupPublisher } from '../../platform/broker/publish.ts'
import { flushIsolated } from '../../platform/database/isolation.ts'
import { isTransient, classifyError } from '../../platform/database/transient.ts'
import { parkJob, type ParkContext } from '../../records/parked/park.ts'
import type { WaitingStep } from '../../records/waiting/waiting-step.ts'
import { removeWaiting } from '../../records/waiting/write-waiting.ts'
import { decidePlacement, type PlacementContext, type Placement, type PlacementOptions } from './place.ts'
import { releasePlaced, type PlacedStep, type ReleaseContext } from './release.ts'

export type ReleaseResult =
  /** The row is updated: the step waits for a later time, for another route, or for the broker. */
  | 'held'
  /**
   * The row is removed: the step is in a queue, has failed, or ends at its deadline because its message has
   * moved on or its content is lost.
   */
  | 'removed'
  /**
   * The job is parked and the row removed. The deadline ends the step, unless an operator retries or drops
   * the job.
   */
  | 'parked'

export interface ReleaseOrParkContext extends ReleaseContext, Pick<ParkContext, 'metrics' | 'log'> {
  readonly database: ParkContext['database']
}

export interface ReleaseStrategy {
  readonly place: (job: StepJob, step: WaitingStep) => Placement
  /** Makes the placements durable; returns the keys of the messages whose step continues to wait. */
  readonly publish: (placed: readonly PlacedStep[]) => Promise<ReadonlySet<string>>
}

/** Returns the end state of each step. The strategy may be called again with a subset of the steps. */
export async function releaseSteps(
  context: ReleaseOrParkContext,
  steps: readonly WaitingStep[],
  strategy: ReleaseStrategy,
): Promise<ReleaseResult[]> {
  const release = (batch: WaitingStep[]) => releaseBatch(context, batch, strategy)
  const outcomes = await flushIsolated([...steps], release, classifyError)
  const results: ReleaseResult[] = []
  let transient: Error | undefined
  for (const [n, outcome] of outcomes.entries()) {
    if (outcome.status === 'fulfilled') results.push(outcome.value)
    else if (isTransient(outcome.reason)) transient ??= outcome.reason as Error
    else results.push(await parkStep(context, steps[n]!, outcome.reason as Error))
  }
  if (transient !== undefined) throw transient
  return results
}

/**
 * Nothing is written before the strategy publishes: after a crash the steps are found again. After a crash
 * between the broker's confirm and the removal of the row the job is published again, which is harmless: a step
 * is claimed once, and a verdict ends only an unclaimed step.
 */
async function releaseBatch(
  { database }: ReleaseOrParkContext,
  steps: readonly WaitingStep[],
  strategy: ReleaseStrategy,
): Promise<ReleaseResult[]> {
  const placed = steps.flatMap((step): PlacedStep[] => {
    const { job } = step
    return job === null ? [] : [{ job, placement: strategy.place(job, step) }]
  })
  const held = await strategy.publish(placed)
  await removeWaiting(
    database,
    steps.filter(({ msgKey }) => !held.has(msgKey)),
  )
  return steps.map(({ msgKey }) => (held.has(msgKey) ? 'held' : 'removed'))
}

async function parkStep(context: ReleaseOrParkContext, step: WaitingStep, error: Error): Promise<'parked'> {
  const { publisher, ...parking } = context
  const { msgKey, step: nth, try: tryNumber, accountId } = step
  // The keys are enough for a retry and a drop, which read the step from its row in `in_flight`.
  const job = step.job ?? { v: 1, msgKey, accountId, step: nth, try: tryNumber }
  await parkJob({ ...parking, broker: { publisher } }, 'dispatch', job, error)
  await removeWaiting(context.database, [step])
  return 'parked'
}

export interface ReleaseWaitingContext extends PlacementContext, ReleaseOrParkContext {
  readonly publisher: GroupPublisher
}

/** Places the steps again and releases them. Callers decide which steps may be released. */
export async function releaseWaiting(
  context: ReleaseWaitingContext,
  steps: readonly WaitingStep[],
  options: PlacementOptions = {},
): Promise<void> {
  await releaseSteps(context, steps, {
    place: (job, { isLast, owedAt }) => decidePlacement(context, job, { ...options, isLast, owedAt }),
    publish: (placed) => releasePlaced(context, placed),
  })
}
