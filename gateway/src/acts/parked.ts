/** Retries and drops parked jobs, for commands and the admin API. */
import type { Topology } from '../jobs/queues.ts'
import { dropParked } from '../parked/drop.ts'
import { retryParked, type RetryResult } from '../parked/retry.ts'
import type { Broker } from '../platform/broker/broker.ts'
import type { Database } from '../platform/database.ts'
import { findParked, type ParkedRow } from '../records/parked/queries.ts'
import type { ActAudit } from './act-audit.ts'
import { notFound, OperationError } from './errors.ts'

export interface ParkedContext {
  readonly database: Database
  readonly broker: Pick<Broker, 'publisher'>
  readonly topology: Topology
  readonly audit: ActAudit
}

export async function requireParked(database: Database, id: number): Promise<ParkedRow> {
  const row = await findParked(database, id)
  if (row === null) throw notFound('parked job', id)
  return row
}

export interface ChosenJobs {
  readonly ids: readonly number[]
  /** The ids were looked up, not named by an operator. */
  readonly lookedUp: boolean
}

export interface RetriedJob {
  readonly row: ParkedRow
  readonly result: RetryResult
}

export interface Retried {
  readonly jobs: readonly RetriedJob[]
  /** The first job that could not be handed over; those after it were not tried. */
  readonly stoppedAt: { readonly id: number; readonly error: string } | null
}

/** One by one. It stops at the first job that cannot be handed over; running it again is safe. */
export function retryJobs(context: ParkedContext, { ids, lookedUp }: ChosenJobs): Promise<Retried> {
  // A job that was found and that somebody else has retried or dropped since then needs nothing. One that an operator has named and
  // that does not exist may be a mistake.
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
  skipsGone: boolean,
): Promise<Retried> {
  const context = { database, publisher: broker.publisher, topology }
  const jobs: RetriedJob[] = []
  for (const id of chosen) {
    try {
      const row = skipsGone ? await findParked(database, id) : await requireParked(database, id)
      if (row === null) continue
      jobs.push({ row, result: await retryParked(context, row) })
    } catch (error) {
      if (jobs.length === 0) throw error
      return { jobs, stoppedAt: { id, error: (error as Error).message } }
    }
  }
  return { jobs, stoppedAt: null }
}

/** Gives a job up; its message still ends in exactly one outcome. Returns what that is. */
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

export interface Dropped {
  readonly dropped: number
  /** Jobs whose messages could not be ended: they stay. */
  readonly kept: readonly { readonly id: number; readonly why: string }[]
}

/** Gives jobs up one by one. A job that is gone meanwhile is left out. */
export function dropJobs(
  { database, broker, topology, audit }: ParkedContext,
  ids: readonly number[],
): Promise<Dropped> {
  const context = { database, publisher: broker.publisher, topology }
  const kept: { id: number; why: string }[] = []
  let dropped = 0
  const countDone = () => ({ dropped, kept: kept.length })
  const dropAll = async (): Promise<Dropped> => {
    for (const id of ids) {
      const row = await findParked(database, id)
      if (row === null) continue
      const result = await dropParked(context, row)
      if (result.dropped) dropped += 1
      else kept.push({ id, why: result.reason })
    }
    return { dropped, kept }
  }
  // What was dropped before a failure is recorded with it.
  return audit.around(describeJobs(ids), dropAll, countDone, countDone)
}
