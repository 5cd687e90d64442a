/**
 * Records accepted messages in bulk, chooses each one's route and releases it to the route's queue, or lets it wait
 * for its turn. A group is acknowledged after its messages are committed and the broker has confirmed their release; a
 * repeated group records nothing again and releases again only what no route has taken up and what does not wait.
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

interface Taking extends IntakeContext {
  /** Days ahead whose partitions are known to be there. */
  readonly daysMade: Set<string>
}

export function startIntake(context: IntakeContext): Consumption {
  const { broker, topology, log, signal } = context
  const taking: Taking = { ...context, daysMade: new Set() }
  const batcher = new Batcher<AcceptedJob>({ maxItems: 400, concurrency: 2 }, async (jobs) => {
    context.metrics.batchSize.observe({ stage: 'intake' }, jobs.length)
    await take(taking, jobs)
    return jobs.map(() => undefined)
  })
  const takeOrPark = (candidate: unknown): Promise<void> => {
    const read = readAcceptedJob(candidate)
    return read.ok ? batcher.add(read.job) : parkJob(context, 'intake', candidate, read.reason)
  }
  return broker.consume(topology.accepted, { prefetch: 32 }, async ({ jobs }) => {
    await Promise.all(
      jobs.map((job) => retryTransient(() => takeOrPark(job), { what: 'intake', log, signal })),
    )
  })
}

async function take(context: Taking, jobs: AcceptedJob[]): Promise<void> {
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
    // One message that can never be recorded must not keep the others: find it and put it aside.
    if (jobs.length > 1) {
      for (const job of jobs) await take(context, [job])
      return
    }
    await parkJob(context, 'intake', jobs[0], error as Error)
    return
  }
  context.metrics.recorded.inc(recorded.fresh.size)
  const released = [...steps].flatMap(([msgKey, step]) => {
    // Those that wait have been written with their message, except when it was recorded before.
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

/** Scheduled messages belong to days whose partitions may not be there yet. */
async function ensureDays({ database, daysMade }: Taking, jobs: readonly AcceptedJob[]): Promise<void> {
  for (const { sendAt } of jobs) {
    if (sendAt === undefined) continue
    const day = new Date(sendAt)
    if (daysMade.has(dayOf(day))) continue
    await ensureDay(database, day)
    daysMade.add(dayOf(day))
  }
}

function heldOf(steps: ReadonlyMap<string, PlacedStep>): Parameters<typeof recordMessages>[3] {
  return new Map(
    [...steps].flatMap(([msgKey, { placement }]) =>
      placement.kind === 'hold' ? [[msgKey, placement.held]] : [],
    ),
  )
}
