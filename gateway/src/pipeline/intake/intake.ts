/**
 * The intake stage: records accepted messages in bulk, chooses the route of each, and releases its first step to the
 * route's queue or holds it in the waiting table. A group is acknowledged after its messages are committed and the broker
 * has confirmed their release. A repeated group records nothing again and releases again only steps that no route has
 * claimed and that do not wait. A message that can never be recorded is parked; the others of its batch are recorded.
 * Called by the worker role.
 */
import type { AcceptedJob, RouteJob } from '../../jobs/jobs.ts'
import { parkJob } from '../../jobs/park.ts'
import { readAcceptedJob } from '../../jobs/read.ts'
import { recordMessages, type RecordedMessages } from '../../records/messages/record.ts'
import { clock } from '../../platform/clock.ts'
import { Batcher } from '../../platform/batcher.ts'
import type { Broker } from '../../platform/broker/broker.ts'
import type { Consumption } from '../../platform/broker/consume.ts'
import type { Topology } from '../../jobs/queues.ts'
import { isMissingPartition, type Database } from '../../platform/database.ts'
import { isTransient, scopeOf } from '../../platform/transient.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { retryTransient } from '../../platform/retry.ts'
import { place, type PlaceContext } from '../scheduling/place.ts'
import { releasePlaced, type PlacedStep } from '../scheduling/release.ts'
import { checkFlow } from './check-flow.ts'
import { MessageDays } from './message-days.ts'

export interface IntakeContext extends PlaceContext {
  readonly broker: Broker
  readonly topology: Topology
  readonly database: Database
  readonly stepTtlSeconds: number
  /** Partitions of older days are dropped. */
  readonly retentionDays: number
  readonly metrics: Metrics
  readonly log: Log
  readonly signal: AbortSignal
}

interface RecordContext extends IntakeContext {
  readonly days: MessageDays
}

export function startIntake(context: IntakeContext): Consumption {
  const { broker, topology, log, signal } = context
  const recordContext: RecordContext = {
    ...context,
    days: new MessageDays(context.database, context.retentionDays),
  }
  const batcher = new Batcher<AcceptedJob>({ maxItems: 400, concurrency: 2, scopeOf }, async (jobs) => {
    context.metrics.batchSize.observe({ stage: 'intake' }, jobs.length)
    await recordAndRelease(recordContext, jobs)
    return jobs.map(() => undefined)
  })
  async function intakeOrPark(candidate: unknown): Promise<void> {
    const read = readAcceptedJob(candidate)
    if (!read.ok) return parkJob(context, 'intake', candidate, read.reason)
    try {
      checkFlow(read.job)
      await batcher.add(read.job)
    } catch (error) {
      if (isTransient(error)) throw error
      await parkJob(context, 'intake', read.job, error as Error)
    }
  }
  return broker.consume(topology.accepted, { prefetch: 32 }, async ({ jobs }) => {
    await Promise.all(
      jobs.map((job) =>
        retryTransient(() => intakeOrPark(job), { what: 'recording accepted messages', log, signal }),
      ),
    )
  })
}

/** `isRepeated`: the days of the batch were created, so a partition that is still missing is not created here. */
async function recordAndRelease(
  context: RecordContext,
  jobs: AcceptedJob[],
  isRepeated = false,
): Promise<void> {
  await context.days.ensureScheduled(jobs)
  const steps = new Map(jobs.map((job) => [job.msgKey, placeFirst(context, job)]))
  let recorded: RecordedMessages
  try {
    recorded = await recordMessages(
      context.database,
      jobs,
      (job) => new Date(steps.get(job.msgKey)!.job.dueAt),
      heldOf(steps),
    )
  } catch (error) {
    if (isRepeated || !isMissingPartition(error) || !(await context.days.createMissing(jobs))) throw error
    return recordAndRelease(context, jobs, true)
  }
  context.metrics.recorded.inc(recorded.fresh.size)
  const released = [...steps].flatMap(([msgKey, step]) => {
    // A held step was written with its message, except when the message was recorded before.
    if (recorded.fresh.has(msgKey)) return step.placement.kind === 'hold' ? [] : [step]
    return recorded.stillReleased.has(msgKey) ? [step] : []
  })
  const { database, broker, topology } = context
  await releasePlaced({ database, publisher: broker.publisher, topology }, released)
}

function placeFirst(context: IntakeContext, accepted: AcceptedJob): PlacedStep {
  const { msgKey, accountId, to, steps, acceptedAt, sendAt } = accepted
  const content = steps[0]!
  const dueAt = (sendAt ?? acceptedAt) + (content.ttlSeconds ?? context.stepTtlSeconds) * 1000
  const job: RouteJob = { v: 1, msgKey, accountId, step: 1, try: 1, to, content, dueAt }
  const later = sendAt !== undefined && sendAt > clock.now()
  return { job, placement: place(context, job, later ? { notBefore: new Date(sendAt) } : {}) }
}

function heldOf(steps: ReadonlyMap<string, PlacedStep>): Parameters<typeof recordMessages>[3] {
  return new Map(
    [...steps].flatMap(([msgKey, { placement }]) =>
      placement.kind === 'hold' ? [[msgKey, placement.held]] : [],
    ),
  )
}
