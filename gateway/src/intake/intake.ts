/**
 * Records accepted messages in bulk, chooses each one's route and releases it to the route's queue. A group is
 * acknowledged after its messages are committed and the broker has confirmed their release; a repeated group
 * records nothing again and releases again only what no route has taken up yet.
 */
import type { AcceptedJob } from '../messages/jobs.ts'
import { recordMessages } from '../messages/record.ts'
import { Batcher } from '../platform/batcher.ts'
import type { Broker } from '../platform/broker/broker.ts'
import type { Consumption } from '../platform/broker/consume.ts'
import type { Topology } from '../platform/broker/topology.ts'
import { isTransient, type Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { untilDone } from '../platform/retry.ts'
import { releaseStep } from '../routes/release.ts'
import type { RouteTable } from '../routes/table.ts'

export interface IntakeContext {
  readonly broker: Broker
  readonly topology: Topology
  readonly database: Database
  readonly routes: RouteTable
  readonly stepTtlSeconds: number
  readonly metrics: Metrics
  readonly log: Log
  readonly signal: AbortSignal
}

export function startIntake(context: IntakeContext): Consumption {
  const { broker, topology, log, signal } = context
  const batcher = new Batcher<AcceptedJob>({ maxItems: 400, concurrency: 2 }, async (jobs) => {
    context.metrics.batchSize.observe({ stage: 'intake' }, jobs.length)
    await take(context, jobs)
    return jobs.map(() => undefined)
  })
  return broker.consume(topology.accepted, { prefetch: 32 }, async ({ jobs }) => {
    await Promise.all(
      (jobs as AcceptedJob[]).map((job) =>
        untilDone(() => batcher.add(job), { what: 'intake', log, signal }),
      ),
    )
  })
}

async function take(context: IntakeContext, jobs: AcceptedJob[]): Promise<void> {
  const dueAt = (job: AcceptedJob): Date =>
    new Date(job.acceptedAt + (job.steps[0]!.ttlSeconds ?? context.stepTtlSeconds) * 1000)
  let recorded
  try {
    recorded = await recordMessages(context.database, jobs, dueAt)
  } catch (error) {
    if (isTransient(error)) throw error
    // One message that the database can never hold must not keep the others: find it and put it aside.
    if (jobs.length > 1) {
      for (const job of jobs) await take(context, [job])
      return
    }
    await park(context, jobs[0]!, error as Error)
    return
  }
  context.metrics.recorded.inc(recorded.fresh.size)
  const released = jobs.filter(
    (job) => recorded.fresh.has(job.msgKey) || recorded.stillReleased.has(job.msgKey),
  )
  await Promise.all(released.map((job) => release(context, job, dueAt(job))))
}

async function release(context: IntakeContext, job: AcceptedJob, dueAt: Date): Promise<void> {
  const { msgKey, to, steps } = job
  const { broker, topology, routes } = context
  await releaseStep(
    { publisher: broker.publisher, topology, routes },
    { v: 1, msgKey, step: 1, try: 1, to, content: steps[0]!, dueAt: dueAt.getTime() },
  )
}

async function park(context: IntakeContext, job: AcceptedJob, error: Error): Promise<void> {
  context.metrics.parked.inc({ stage: 'intake' })
  context.log.error(
    { err: error, message: job.msgKey, account: job.accountId },
    'cannot be recorded; parked for an operator',
  )
  await context.broker.publisher.send(context.topology.parked, JSON.stringify({ stage: 'intake', job }))
}
