/**
 * The intake stage: records accepted messages in bulk, chooses the route of each, and releases its first step to the
 * route's queue or holds it in the waiting table. A group is acknowledged after its messages are committed and the broker
 * has confirmed their release. A repeated group records nothing again and releases again only steps that no route has
 * claimed and that do not wait. Called by the worker role.
 */
import type { AcceptedJob, RouteJob } from '../../jobs/jobs.ts'
import { parkJob } from '../../jobs/park.ts'
import { readAcceptedJob } from '../../jobs/read.ts'
import { recordMessages } from '../../records/messages/record.ts'
import { Batcher } from '../../platform/batcher.ts'
import type { Broker } from '../../platform/broker/broker.ts'
import type { Consumption } from '../../platform/broker/consume.ts'
import type { Topology } from '../../jobs/queues.ts'
import { isTransient, type Database } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { dayOf, ensureDay } from '../../records/partitions.ts'
import { retryTransient } from '../../platform/retry.ts'
import { place, type PlaceContext } from '../scheduling/place.ts'
import { releasePlaced, type PlacedStep } from '../scheduling/release.ts'

export interface IntakeContext extends PlaceContext {
  readonly broker: Broker
  readonly topology: Topology
  readonly database: Database
  readonly stepTtlSeconds: number
  readonly metrics: Metrics
  readonly log: Log
  readonly signal: AbortSignal
}

interface RecordContext extends IntakeContext {
  /** Future days whose partitions are known to exist. */
  readonly daysEnsured: Set<string>
}

export function startIntake(context: IntakeContext): Consumption {
  const { broker, topology, log, signal } = context
  const recordContext: RecordContext = { ...context, daysEnsured: new Set() }
  const batcher = new Batcher<AcceptedJob>({ maxItems: 400, concurrency: 2 }, async (jobs) => {
    context.metrics.batchSize.observe({ stage: 'intake' }, jobs.length)
    await recordAndRelease(recordContext, jobs)
    return jobs.map(() => undefined)
  })
  const intakeOrPark = (candidate: unknown): Promise<void> => {
    const read = readAcceptedJob(candidate)
    return read.ok ? batcher.add(read.job) : parkJob(context, 'intake', candidate, read.reason)
  }
  return broker.consume(topology.accepted, { prefetch: 32 }, async ({ jobs }) => {
    await Promise.all(
      jobs.map((job) =>
        retryTransient(() => intakeOrPark(job), { what: 'recording accepted messages', log, signal }),
      ),
    )
  })
}

async function recordAndRelease(context: RecordContext, jobs: AcceptedJob[]): Promise<void> {
  let steps: ReadonlyMap<string, PlacedStep>
  let recorded
  try {
    await ensureDays(context, jobs)
    steps = new Map(jobs.map((job) => [job.msgKey, placeFirst(context, job)]))
    recorded = await recordMessages(
      context.database,
      jobs,
      (job) => new Date(steps.get(job.msgKey)!.job.dueAt),
      heldOf(steps),
    )
  } catch (error) {
    if (isTransient(error)) throw error
    // A message that can never be recorded must not block the others: they are recorded one by one, and it is parked.
    if (jobs.length > 1) {
      for (const job of jobs) await recordAndRelease(context, [job])
      return
    }
    await parkJob(context, 'intake', jobs[0], error as Error)
    return
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
  const later = sendAt !== undefined && sendAt > Date.now()
  return { job, placement: place(context, job, later ? { notBefore: new Date(sendAt) } : {}) }
}

/** Scheduled messages belong to days whose partitions may not exist yet. */
async function ensureDays(
  { database, daysEnsured }: RecordContext,
  jobs: readonly AcceptedJob[],
): Promise<void> {
  for (const { sendAt } of jobs) {
    if (sendAt === undefined) continue
    const day = new Date(sendAt)
    if (daysEnsured.has(dayOf(day))) continue
    await ensureDay(database, day)
    daysEnsured.add(dayOf(day))
  }
}

function heldOf(steps: ReadonlyMap<string, PlacedStep>): Parameters<typeof recordMessages>[3] {
  return new Map(
    [...steps].flatMap(([msgKey, { placement }]) =>
      placement.kind === 'hold' ? [[msgKey, placement.held]] : [],
    ),
  )
}
