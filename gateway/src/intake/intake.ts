/**
 * Records accepted messages in bulk, chooses each one's route and releases it to the route's queue. A group is
 * acknowledged after its messages are committed and the broker has confirmed their release; a repeated group
 * records nothing again and releases again only what no route has taken up yet.
 */
import type { AcceptedJob, RouteJob, VerdictJob } from '../messages/jobs.ts'
import { recordMessages } from '../messages/record.ts'
import { Batcher } from '../platform/batcher.ts'
import type { Broker } from '../platform/broker/broker.ts'
import type { Consumption } from '../platform/broker/consume.ts'
import type { Topology } from '../platform/broker/topology.ts'
import { isTransient, type Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { untilDone } from '../platform/retry.ts'
import { chooseRoute } from '../routes/route.ts'
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
  const dueAt = (job: AcceptedJob): Date => new Date(job.acceptedAt + context.stepTtlSeconds * 1000)
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
  const { publisher } = context.broker
  const [content] = job.steps
  const route = chooseRoute(context.routes.value, content!.channel)
  if (route === null) {
    const verdict: VerdictJob = {
      v: 1,
      kind: 'verdict',
      msgKey: job.msgKey,
      step: 1,
      try: 1,
      cause: 'no-route',
      parts: 1,
      at: Date.now(),
    }
    await publisher.send(context.topology.receipts, JSON.stringify(verdict))
    return
  }
  const routeJob: RouteJob = {
    v: 1,
    msgKey: job.msgKey,
    step: 1,
    try: 1,
    to: job.to,
    content: content!,
    dueAt: dueAt.getTime(),
  }
  await publisher.send(context.topology.lane(route.id, 'normal'), JSON.stringify(routeJob))
}

async function park(context: IntakeContext, job: AcceptedJob, error: Error): Promise<void> {
  context.metrics.parked.inc({ stage: 'intake' })
  context.log.error(
    { err: error, message: job.msgKey, account: job.accountId },
    'cannot be recorded; parked for an operator',
  )
  await context.broker.publisher.send(context.topology.parked, JSON.stringify({ stage: 'intake', job }))
}
