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
import { createMove, type EndState } from '../../platform/transitions.ts'
import { parkJob, type ParkContext } from '../../records/parked/park.ts'
import type { WaitingStep } from '../../records/waiting/waiting-step.ts'
import { removeWaiting } from '../../records/waiting/write-waiting.ts'
import { decidePlacement, type PlacementContext, type Placement, type PlacementOptions } from './place.ts'
import { releasePlaced, type PlacedStep, type ReleaseContext } from './release.ts'

/** States of a waiting step, with what is durable in each of them and what follows after a crash. */
export const waitingTransitions = {
  /** The row is due. It is found again after a crash. */
  waiting: ['placed', 'unsendable', 'parked'],
  /** The destination is chosen. Nothing is written, so the step is found again after a crash. */
  placed: ['published', 'held'],
  /**
   * The broker has confirmed the job or the failure, and the row still exists. After a crash it is published
   * again, which is harmless: a step is claimed once, and a verdict ends only an unclaimed step.
   */
  published: ['removed'],
  /**
   * The message has moved on, the step ends before it could be sent, or its content is lost. Its deadline
   * ends it.
   */
  unsendable: ['removed'],
  /** The row is updated: the step waits for a later time, for another route, or for the broker. */
  held: [],
  /** The row is removed: the step is in a queue, has failed, or ends at its deadline. */
  removed: [],
  /**
   * The job is parked and the row removed. The deadline ends the step, unless an operator retries or drops
   * the job.
   */
  parked: [],
} as const

export type ReleaseResult = EndState<typeof waitingTransitions>
type State = keyof typeof waitingTransitions

interface InState<S extends State> {
  readonly state: S
  readonly step: WaitingStep
}

interface Placed extends InState<'placed'> {
  readonly placed: PlacedStep
}

const move = createMove(waitingTransitions)

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

async function releaseBatch(
  context: ReleaseOrParkContext,
  steps: readonly WaitingStep[],
  strategy: ReleaseStrategy,
): Promise<ReleaseResult[]> {
  const placed = steps.map((step) => placeStep(step, strategy))
  const published = await publishSteps(placed, strategy)
  const removed = await removeRows(context, published)
  return removed.map(({ state }) => state)
}

function placeStep(step: WaitingStep, strategy: ReleaseStrategy): Placed | InState<'unsendable'> {
  const waiting = { state: 'waiting', step } as const
  const { job } = step
  if (job === null) return move(waiting, 'unsendable')
  return move(waiting, 'placed', { placed: { job, placement: strategy.place(job, step) } })
}

async function publishSteps(
  steps: readonly (Placed | InState<'unsendable'>)[],
  strategy: ReleaseStrategy,
): Promise<InState<'published' | 'held' | 'unsendable'>[]> {
  const placed = steps.filter(({ state }) => state === 'placed') as Placed[]
  const held = await strategy.publish(placed.map((step) => step.placed))
  return steps.map((step) => {
    if (step.state !== 'placed') return step
    return move(step, held.has(step.step.msgKey) ? 'held' : 'published')
  })
}

async function removeRows(
  { database }: ReleaseOrParkContext,
  steps: readonly InState<'published' | 'held' | 'unsendable'>[],
): Promise<InState<'removed' | 'held'>[]> {
  const done = steps.filter(({ state }) => state !== 'held')
  await removeWaiting(
    database,
    done.map(({ step }) => step),
  )
  return steps.map((step) => (step.state === 'held' ? { ...step, state: step.state } : move(step, 'removed')))
}

async function parkStep(context: ReleaseOrParkContext, step: WaitingStep, error: Error): Promise<'parked'> {
  const { publisher, ...parking } = context
  const { msgKey, step: nth, try: tryNumber, accountId } = step
  // The keys are enough for a retry and a drop, which read the step from its row in `in_flight`.
  const job = step.job ?? { v: 1, msgKey, accountId, step: nth, try: tryNumber }
  await parkJob({ ...parking, broker: { publisher } }, 'dispatch', job, error)
  await removeWaiting(context.database, [step])
  return move({ state: 'waiting', step } as const, 'parked').state
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
