import type { AcceptedJob, StepJob } from '../../jobs/jobs.ts'
import type { MessageTrace } from '../../jobs/message-trace.ts'
import type { Topology } from '../../jobs/queues.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Broker } from '../../platform/broker/broker.ts'
import { isMissingPartition, type Database } from '../../platform/database/database.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { recordMessages, type RecordedMessages } from '../../records/messages/record.ts'
import { neverReleaseAt } from '../../records/waiting/waiting-step.ts'
import { decidePlacement, type PlacementContext } from '../scheduling/place.ts'
import { releasePlaced, type PlacedStep } from '../scheduling/release.ts'
import type { MessageDays } from './message-days.ts'

export interface RecordContext extends PlacementContext {
  readonly broker: Broker
  readonly topology: Topology
  readonly database: Database
  readonly stepTtlSeconds: number
  readonly days: MessageDays
  readonly metrics: Metrics
  readonly trace?: MessageTrace | undefined
}

/**
 * Records a batch of accepted messages and releases their first steps, or holds them in the waiting table.
 * Resolves when all of it is durable. A repeated batch records nothing again and releases only steps that no
 * route has claimed and that do not wait. `isRepeated` is set if the days of the batch were created: a
 * partition that is still missing is not created again.
 */
export async function recordAndRelease(
  context: RecordContext,
  jobs: AcceptedJob[],
  isRepeated = false,
): Promise<void> {
  const startedMs = performance.now()
  await context.days.ensureAhead(jobs)
  const steps = new Map(jobs.map((job) => [job.msgKey, placeFirst(context, job)]))
  let recorded: RecordedMessages
  try {
    recorded = await recordMessages(
      context.database,
      jobs,
      (job) => new Date(steps.get(job.msgKey)!.job.dueAt),
      selectHeld(steps),
    )
  } catch (error) {
    if (isRepeated || !isMissingPartition(error) || !(await context.days.createMissing(jobs))) throw error
    return recordAndRelease(context, jobs, true)
  }
  context.metrics.recorded.inc(recorded.fresh.size)
  const released = [...steps].flatMap(([msgKey, step]) => {
    // A held step was written with its message, unless the message was recorded before.
    if (recorded.fresh.has(msgKey)) return step.placement.kind === 'hold' ? [] : [step]
    return recorded.unclaimed.has(msgKey) && !isSuspended(step) ? [step] : []
  })
  const { database, broker, topology } = context
  await releasePlaced({ database, publisher: broker.publisher, topology }, released)
  if (context.trace === undefined) return
  for (const job of jobs) {
    if (!recorded.fresh.has(job.msgKey)) continue
    const { placement } = steps.get(job.msgKey)!
    const routeId = placement.kind === 'release' ? placement.routeId : undefined
    context.trace.addRecorded(job, routeId, jobs.length, { startedMs })
  }
}

/**
 * Reports whether the step is suspended: the first copy of the message was released, and nothing would remove
 * a suspended row of the second one.
 */
const isSuspended = ({ placement }: PlacedStep): boolean =>
  placement.kind === 'hold' && placement.held.releaseAt === neverReleaseAt

function placeFirst(context: RecordContext, accepted: AcceptedJob): PlacedStep {
  const { msgKey, accountId, to, steps, acceptedAt, sendAt, heldBy, sealed } = accepted
  const content = steps[0]!
  const dueAt = (sendAt ?? acceptedAt) + (content.ttlSeconds ?? context.stepTtlSeconds) * 1000
  const plain: StepJob = { v: 1, msgKey, accountId, step: 1, try: 1, to, content, dueAt }
  const job = sealed === undefined ? plain : { ...plain, sealed }
  // While the clocks disagree, it is not certain that the time has come.
  const notBefore = sendAt !== undefined && !clock.hasPassed(sendAt) ? new Date(sendAt) : undefined
  return { job, placement: decidePlacement(context, job, { isLast: steps.length === 1, notBefore, heldBy }) }
}

function selectHeld(steps: ReadonlyMap<string, PlacedStep>): Parameters<typeof recordMessages>[3] {
  return new Map(
    [...steps].flatMap(([msgKey, { placement }]) =>
      placement.kind === 'hold' ? [[msgKey, placement.held]] : [],
    ),
  )
}
