/**
 * The intake stage: records accepted messages in bulk and releases the first step of each. A group is acknowledged after
 * its messages are committed and the broker has confirmed their release. A message that can never be recorded is parked;
 * the others of its batch are recorded. Each lane has its own queue, consumer and batcher, and the pool has connections for
 * all of them, so that an urgent message waits behind no other lane, and a normal one not behind bulk.
 */
import { laneOf, lanes, type Lane } from '../../channels/lane.ts'
import { channels } from '../../channels/registry.ts'
import type { AcceptedJob } from '../../jobs/jobs.ts'
import type { MessageTrace } from '../../jobs/message-trace.ts'
import { parkJob } from '../../records/parked/park.ts'
import type { Topology } from '../../jobs/queues.ts'
import { readAcceptedJob } from '../../jobs/read.ts'
import { ensureSealed, sealedOf } from '../../jobs/sealed.ts'
import { addRepeatedly, type Run } from '../../platform/add-repeatedly.ts'
import { Batcher } from '../../platform/batcher.ts'
import type { Broker } from '../../platform/broker/broker.ts'
import type { Consumption } from '../../platform/broker/consume.ts'
import type { Database } from '../../platform/database.ts'
import { messageCipher } from '../../platform/encryption/message-cipher.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { retryTransient } from '../../platform/retry.ts'
import { scopeOf } from '../../platform/transient.ts'
import type { PlaceContext } from '../scheduling/place.ts'
import type { IntakeProgress } from '../admission/intake-progress.ts'
import { BatchSize } from './batch-size.ts'
import { MessageDays } from './message-days.ts'
import { recordAndRelease, type RecordContext } from './record-and-release.ts'

export interface IntakeContext extends PlaceContext {
  readonly broker: Broker
  readonly topology: Topology
  /** Exclusive to intake, with `intakeConnections` connections: each lane then always finds one. */
  readonly database: Database
  readonly stepTtlSeconds: number
  /** Partitions of older days are dropped. */
  readonly retentionDays: number
  /** Counts what is recorded, for admission and for the check of the first queue. */
  readonly progress?: Pick<IntakeProgress, 'recorded'>
  readonly metrics: Metrics
  readonly trace?: MessageTrace | undefined
  readonly log: Log
}

/** Batches of a lane that are recorded at the same time: while PostgreSQL writes one, the next is filled. */
const batchesAtOnce = 2
/**
 * Groups of a lane that a worker holds. A group has from one to 64 messages, and the broker limits only groups: with few of
 * them a worker would record few single messages per second.
 */
const groupsHeld = 256
/** A batch uses one connection at a time. */
export const intakeConnections = lanes.length * batchesAtOnce

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

/** How long a batch waits for more messages: one full batch costs less than two half-filled ones. */
const maxWaitMs = 100

function startLane(context: IntakeContext, recordContext: RecordContext, lane: Lane): Consumption {
  const { broker, topology, metrics, log } = context
  const size = new BatchSize()
  const options = {
    concurrency: batchesAtOnce,
    maxWaitMs,
    scopeOf,
    get maxItems() {
      return size.maxItems
    },
  }
  const batcher = new Batcher<AcceptedJob>(options, async (jobs) => {
    metrics.batchSize.observe({ stage: 'intake' }, jobs.length)
    const startedMs = performance.now()
    await recordAndRelease(recordContext, jobs)
    size.took(jobs.length, performance.now() - startedMs)
    context.progress?.recorded(lane, jobs)
    return jobs.map(() => undefined)
  })
  const park = (run: Run, candidate: unknown, cause: Error | string): Promise<void> =>
    run('parking a job', () => parkJob(context, 'intake', candidate, cause))

  async function intakeGroup(candidates: readonly unknown[], run: Run): Promise<void> {
    const checked: AcceptedJob[] = []
    await run('reading the keys of messages', () => messageCipher.loadKeys(candidates.map(sealedOf)))
    for (const candidate of candidates) {
      const read = readAndCheck(candidate)
      if (read.ok) checked.push(read.job)
      else await park(run, candidate, read.cause)
    }
    // API processes that do not encrypt yet publish plaintext.
    const jobs = await run('reading the keys of messages', () => Promise.all(checked.map(ensureSealed)))
    const results = await addRepeatedly(batcher, jobs, 'recording accepted messages', run)
    for (const [index, result] of results.entries())
      if (result.status === 'rejected') await park(run, jobs[index], result.reason as Error)
  }

  return broker.consume(topology.accepted[lane], { prefetch: groupsHeld }, async ({ jobs, signal }) => {
    await intakeGroup(jobs, (what, work) => retryTransient(work, { what, log, signal }))
  })
}

type CheckedJob =
  { readonly ok: true; readonly job: AcceptedJob } | { readonly ok: false; readonly cause: Error | string }

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

/** The longest `ttlSeconds`, so that PostgreSQL can store the deadline. 31 years; accept allows three days. */
const maxTtlSeconds = 1e9

/**
 * Throws if a later stage could not read a step of the flow. The schema of a job knows the content of a rich step only as an
 * object, and a step that fails after it was recorded would have to be parked by a later stage.
 */
function checkFlow({ steps, msgKey }: AcceptedJob): void {
  for (const step of steps) {
    const channel = channels[step.channel]
    if (Math.abs(step.ttlSeconds ?? 0) > maxTtlSeconds) throw new RangeError('ttlSeconds is out of range')
    laneOf(step, null)
    channel.sender(step)
    channel.msgType(step)
    channel.parts(step, msgKey)
  }
}
