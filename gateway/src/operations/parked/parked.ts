/** Retries and drops parked jobs. */
import type { Topology } from '../../jobs/queues.ts'
import { dropParked } from './drop.ts'
import { retryParked, type RetryResult } from './retry.ts'
import type { Broker } from '../../platform/broker/broker.ts'
import type { Database } from '../../platform/database/database.ts'
import { findParked, type StoredParkedJob } from '../../records/parked/queries.ts'
import type { AuditRecorder } from '../audit-recorder.ts'
import { notFound, OperationError } from '../errors.ts'

export interface ParkedContext {
  readonly database: Database
  readonly broker: Pick<Broker, 'publisher'>
  readonly topology: Topology
  readonly audit: AuditRecorder
}

export async function requireParked(database: Database, id: number): Promise<StoredParkedJob> {
  const row = await findParked(database, id)
  if (row === null) throw notFound('parked job', id)
  return row
}

export interface JobSelection {
  readonly ids: readonly number[]
  /** Whether the IDs were looked up instead of given by an operator. */
  readonly lookedUp: boolean
}

export interface RetriedJob {
  readonly row: StoredParkedJob
  readonly result: RetryResult
}

export interface RetryJobsResult {
  readonly jobs: readonly RetriedJob[]
  /** The first job that could not be retried; later ones were not tried. */
  readonly stoppedAt: { readonly id: number; readonly error: string } | null
}

/**
 * Retries jobs one by one. Stops at the first that cannot be sent, and throws its error if no job was retried before;
 * running it again is safe.
 */
export function retryJobs(context: ParkedContext, { ids, lookedUp }: JobSelection): Promise<RetryJobsResult> {
  // A looked-up job that was retried or dropped in the meantime is skipped. A job that an operator named and
  // that does not exist is an error: it may be a mistake.
  return context.audit.around(
    describeJobs(ids),
    () => retryChosen(context, ids, lookedUp),
    ({ jobs }) => ({ retried: jobs.length }),
  )
}

function describeJobs(ids: readonly number[]) {
  return { target: `${ids.length} parked jobs`, details: { ids: ids.slice(0, 200) } }
}

async function retryChosen(
  { database, broker, topology }: ParkedContext,
  chosen: readonly number[],
  canSkipMissing: boolean,
): Promise<RetryJobsResult> {
  const context = { database, publisher: broker.publisher, topology }
  const jobs: RetriedJob[] = []
  for (const id of chosen) {
    try {
      const row = canSkipMissing ? await findParked(database, id) : await requireParked(database, id)
      if (row === null) continue
      jobs.push({ row, result: await retryParked(context, row) })
    } catch (error) {
      if (jobs.length === 0) throw error
      return { jobs, stoppedAt: { id, error: (error as Error).message } }
    }
  }
  return { jobs, stoppedAt: null }
}

/** Drops a job, and returns the effect on its message. */
export async function dropJob(
  { database, broker, topology, audit }: ParkedContext,
  id: number,
): Promise<string> {
  const row = await requireParked(database, id)
  const { stage, msgKey } = row
  const subject = { target: `parked job ${id}`, details: { stage, msgKey } }
  const outcome = await audit.around(subject, async () => {
    const dropped = await dropParked({ database, publisher: broker.publisher, topology }, row)
    if (!dropped.dropped)
      throw new OperationError('refused', `parked job ${id} is not dropped: ${dropped.reason}`)
    return dropped
  })
  return outcome.effect
}

export interface DropJobsResult {
  readonly dropped: number
  /** Jobs that were kept: their messages could not be closed, or they were parked again in the meantime. */
  readonly kept: readonly { readonly id: number; readonly why: string }[]
}

/** Drops jobs one by one. Jobs that no longer exist are skipped. */
export function dropJobs(
  { database, broker, topology, audit }: ParkedContext,
  ids: readonly number[],
): Promise<DropJobsResult> {
  const context = { database, publisher: broker.publisher, topology }
  const kept: { id: number; why: string }[] = []
  let dropped = 0
  const countDone = () => ({ dropped, kept: kept.length })
  const dropAll = async (): Promise<DropJobsResult> => {
    for (const id of ids) {
      const row = await findParked(database, id)
      if (row === null) continue
      const result = await dropParked(context, row)
      if (result.dropped) dropped += 1
      else kept.push({ id, why: result.reason })
    }
    return { dropped, kept }
  }
  // Jobs dropped before a failure are recorded with it.
  return audit.around(describeJobs(ids), dropAll, countDone, countDone)
}
