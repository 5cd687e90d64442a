/** Retries and drops parked jobs, for commands and the admin API. */
import type { Topology } from '../jobs/queues.ts'
import { dropParked } from '../parked/drop.ts'
import { retryParked, type RetryResult } from '../parked/retry.ts'
import type { Broker } from '../platform/broker/broker.ts'
import type { Database } from '../platform/database.ts'
import { findParked, listParked, type ParkedRow } from '../records/parked/queries.ts'
import type { RetryStage } from '../records/parked/read.ts'
import type { ActAudit } from './act-audit.ts'
import { FailedError, NotFoundError } from './errors.ts'

export interface ParkedContext {
  readonly database: Database
  readonly broker: Pick<Broker, 'publisher'>
  readonly topology: Topology
  readonly audit: ActAudit
}

export async function requireParked(database: Database, id: number): Promise<ParkedRow> {
  const row = await findParked(database, id)
  if (row === null)
    throw new NotFoundError(`there is no parked job ${id}; \`postern parked list\` lists them`)
  return row
}

export interface RetryChoice {
  /** Empty: every job, or every job of the stage. */
  readonly ids: readonly number[]
  readonly stage: RetryStage | null
  /** The ids were looked up, not named by an operator. */
  readonly lookedUp?: boolean
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

const pageSize = 200

/** One by one. It stops at the first job that cannot be handed over; running it again is safe. */
export async function retryJobs(context: ParkedContext, choice: RetryChoice): Promise<Retried> {
  const { database, audit } = context
  const chosen = choice.ids.length > 0 ? choice.ids : await allIds(database, choice.stage)
  const subject = { target: `${chosen.length} parked jobs`, details: { first: chosen.slice(0, 100) } }
  // A job that was found and that somebody else has retried or dropped since then needs nothing. One that an operator has named and
  // that does not exist may be a mistake.
  const skipsGone = choice.ids.length === 0 || choice.lookedUp === true
  return audit.around(
    subject,
    () => retryChosen(context, chosen, skipsGone),
    ({ jobs }) => ({ retried: jobs.length }),
  )
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

/** The jobs that are parked now: a job that is parked again meanwhile is not retried a second time. */
async function allIds(database: Database, stage: RetryStage | null): Promise<number[]> {
  const ids: number[] = []
  for (;;) {
    const page = await listParked(database, ids.at(-1) ?? 0, pageSize, { stage })
    if (page.length === 0) return ids
    ids.push(...page.map(({ id }) => id))
  }
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
    if (!dropped.dropped) throw new FailedError(`${id} is not dropped: ${dropped.reason}`)
    return dropped
  })
  return outcome.effect
}
