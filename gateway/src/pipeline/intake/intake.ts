import { chooseLane, lanes, type Lane } from '../../channels/lane.ts'
import { channels } from '../../channels/registry.ts'
import type { AcceptedJob } from '../../jobs/jobs.ts'
import type { MessageTrace } from '../../jobs/message-trace.ts'
import { parkJob } from '../../records/parked/park.ts'
import type { Topology } from '../../jobs/queues.ts'
import { readAcceptedJob } from '../../jobs/read.ts'
import { ensureSealed, getSealed } from '../../jobs/sealed.ts'
import { addWithRetry, type RetryRunner } from '../../platform/add-with-retry.ts'
import { Batcher } from '../../platform/database/batcher.ts'
import type { Broker } from '../../platform/broker/broker.ts'
import type { Consumption } from '../../platform/broker/consume.ts'
import type { Database } from '../../platform/database/database.ts'
import { messageCipher } from '../../platform/encryption/message-cipher.ts'
import type { Log } from '../../platform/logging/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { retryTransient } from '../../platform/database/retry.ts'
import { classifyError } from '../../platform/database/transient.ts'
import type { PlacementContext } from '../scheduling/place.ts'
import type { IntakeProgress } from '../admission/intake-progress.ts'
import { BatchSize } from './batch-size.ts'
import { MessageDays } from './message-days.ts'
import { recordAndRelease, type RecordContext } from './record-and-release.ts'

export interface IntakeContext extends PlacementContext {
  readonly broker: Broker
  readonly topology: Topology
  /** Exclusive to intake, with `intakeConnections` connections, so each lane always finds one. */
  readonly database: Database
  readonly stepTtlSeconds: number
  /** Partitions of older days are dropped. */
  readonly retentionDays: number
  /** Counts recorded messages, for admission and for the check of the intake queue. */
  readonly progress?: Pick<IntakeProgress, 'countRecorded'>
  readonly metrics: Metrics
  readonly trace?: MessageTrace | undefined
  readonly log: Log
}

/** Concurrent batches of a lane: while PostgreSQL writes one, the next is filled. */
const concurrentBatches = 2
/**
 * Maximum groups of a lane that a worker holds. A group has one to 64 messages, and the broker limits only
 * groups: with few of them a worker would record few single messages per second.
 */
const groupsHeld = 256
/** A batch uses one connection at a time. */
export const intakeConnections = lanes.length * concurrentBatches

/**
 * Starts the intake stage: records accepted messages in bulk and releases the first step of each. A group is acknowledged
 * after its messages are committed and the broker has confirmed their release. A message that can never be recorded is
 * parked; the others of its batch are recorded. Each lane has its own queue, consumer and batcher, and the pool has
 * connections for all of them, so an urgent message waits behind no other lane, and a normal one not behind bulk.
 */
export function startIntake(context: IntakeContext): Pick<Consumption, 'active' | 'stop'> {
  const recordContext = { ...context, days: new MessageDays(context.database, context.retentionDays) }
  const consumptions = lanes.map((lane) => startLane(context, recordContext, lane))
  return {
    get active() {
      return consumptions.every(({ active }) => active)
    },
    async stop() {
      await Promise.all(consumptions.map((consumption) => consumption.stop()))
    },
  }
}

/** Maximum wait of a batch for more messages, because one full batch costs less than two half-filled ones. */
const maxWaitMs = 100

function startLane(context: IntakeContext, recordContext: RecordContext, lane: Lane): Consumption {
  const { broker, topology, metrics, log } = context
  const size = new BatchSize()
  const options = {
    concurrency: concurrentBatches,
    maxWaitMs,
    scopeOf: classifyError,
    get maxItems() {
      return size.maxItems
    },
  }
  const batcher = new Batcher<AcceptedJob>(options, async (jobs) => {
    metrics.batchSize.observe({ stage: 'intake' }, jobs.length)
    const startedMs = performance.now()
    await recordAndRelease(recordContext, jobs)
    size.record(jobs.length, performance.now() - startedMs)
    context.progress?.countRecorded(lane, jobs)
    return jobs.map(() => undefined)
  })
  const park = (run: RetryRunner, candidate: unknown, cause: Error | string): Promise<void> =>
    run('parking a job', () => parkJob(context, 'intake', candidate, cause))

  async function intakeGroup(candidates: readonly unknown[], run: RetryRunner): Promise<void> {
    const checked: AcceptedJob[] = []
    await run('reading the keys of messages', () => messageCipher.loadKeys(candidates.map(getSealed)))
    for (const candidate of candidates) {
      const read = readAndCheck(candidate)
      if (read.ok) checked.push(read.job)
      else await park(run, candidate, read.cause)
    }
    // API processes that do not encrypt yet publish plaintext.
    const jobs = await run('encrypting messages', () => Promise.all(checked.map(ensureSealed)))
    const results = await addWithRetry(batcher, jobs, 'recording accepted messages', run)
    for (const [index, result] of results.entries())
      if (result.status === 'rejected') await park(run, jobs[index], result.reason as Error)
  }

  return broker.consume(topology.accepted[lane], { prefetch: groupsHeld }, async ({ jobs, signal }) => {
    await intakeGroup(jobs, (what, work) => retryTransient(work, { what, log, signal }))
  })
}

type CheckedJob =
  | { readonly ok: true; readonly job: AcceptedJob }
  | { readonly ok: false; readonly cause: Error | string }

function readAndCheck(candidate: unknown): CheckedJob {
  const read = readAcceptedJob(candidate)
  if (!read.ok) return { ok: false, cause: read.reason }
  try {
    checkFlow(read.job)
    return read
  } catch (error) {
    return { ok: false, cause: error as Error }
  }
}

/**
 * Upper limit of `ttlSeconds`, so that PostgreSQL can store the deadline: 31 years; accept allows three days.
 */
const maxTtlSeconds = 1e9

/**
 * Throws if a later stage could not read a step of the flow. The schema of a job knows the content of a rich
 * step only as an object, and a step that fails after it was recorded would have to be parked by a later
 * stage.
 */
function checkFlow({ steps, msgKey }: AcceptedJob): void {
  for (const step of steps) {
    const channel = channels[step.channel]
    if (Math.abs(step.ttlSeconds ?? 0) > maxTtlSeconds) throw new RangeError('ttlSeconds is out of range')
    chooseLane(step, null)
    channel.sender(step)
    channel.msgType(step)
    channel.parts(step, msgKey)
  }
}
