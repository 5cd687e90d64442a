/**
 * `postern parked retry`: hands parked jobs to their stage again, one by one, and removes them. It stops at the first
 * job that cannot be handed over and reports the jobs before it; running it again is safe.
 */
import type { Database } from '../../platform/database.ts'
import { listParked, type ParkedRow } from '../../records/parked/queries.ts'
import type { RetryStage } from '../../records/parked/read.ts'
import { retryParked, type RetryResult } from '../../parked/retry.ts'
import type { Engines } from '../connect-broker.ts'
import type { Result } from '../result.ts'
import { requireParked } from './job.ts'

export interface RetryChoice {
  /** Empty: every job, or every job of the stage. */
  readonly ids: readonly number[]
  readonly stage: RetryStage | null
}

const descriptions: Readonly<Record<RetryResult, (row: ParkedRow) => string>> = {
  retried: ({ stage }) => `handed to ${stage} again`,
  'parked-again': () => 'handed over, and already parked again',
  ended: () => 'its step had already ended; removed',
  unreadable: ({ id }) => `no stage can read it; \`postern parked drop ${id}\` gives it up`,
}

const pageSize = 200

export async function retryParkedJobs(engines: Engines, choice: RetryChoice): Promise<Result> {
  const { database, audit } = engines
  const chosen = choice.ids.length > 0 ? choice.ids : await allIds(database, choice.stage)
  const subject = { target: `${chosen.length} parked jobs`, details: { first: chosen.slice(0, 100) } }
  return audit.around(
    subject,
    () => retryChosen(engines, chosen),
    ({ json }) => ({ retried: (json as { jobs: unknown[] }).jobs.length }),
  )
}

async function retryChosen(
  { database, broker, topology }: Engines,
  chosen: readonly number[],
): Promise<Result> {
  const context = { database, publisher: broker.publisher, topology }
  const jobs: { id: number; result: RetryResult }[] = []
  const lines: string[] = []
  for (const id of chosen) {
    try {
      const row = await requireParked(database, id)
      const result = await retryParked(context, row)
      jobs.push({ id, result })
      lines.push(`${id}: ${descriptions[result](row)}`)
    } catch (error) {
      if (jobs.length === 0) throw error
      const { message } = error as Error
      lines.push(`${id}: ${message}; stopped here, run the command again for the rest`)
      return { json: { jobs, stoppedAt: { id, error: message } }, lines, failed: true }
    }
  }
  if (chosen.length === 0) lines.push('no job to retry')
  return { json: { jobs, stoppedAt: null }, lines }
}

/** The jobs that are parked now: a job that is parked again meanwhile is not retried a second time. */
async function allIds(database: Database, stage: RetryStage | null): Promise<number[]> {
  const ids: number[] = []
  for (;;) {
    const page = await listParked(database, ids.at(-1) ?? 0, pageSize, stage)
    if (page.length === 0) return ids
    ids.push(...page.map(({ id }) => id))
  }
}
