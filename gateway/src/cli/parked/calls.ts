/** Retries parked jobs: the given ones, those of a stage, or all. */
import type { RetryStage } from '../../records/parked/read.ts'
import {
  pageSize,
  type AdminClient,
  type ResponseData,
  type RequestInput,
  type ListItem,
} from '../client/client.ts'
import { toPartialFailure } from '../client/explain.ts'
import type { Result } from '../result.ts'

function readJobs(admin: AdminClient, stage?: RetryStage): Promise<ListItem<'listParked'>[]> {
  return admin.readAll((page) => admin.call('listParked', { query: { ...page, stage } }))
}

export interface RetryOptions {
  readonly all?: boolean
  readonly stage?: RetryStage
}

/**
 * Retries up to 200 jobs per request. Each request is recorded, and jobs that were passed to their stage stay there
 * if a later one fails.
 */
export async function retryParkedJobs(
  admin: AdminClient,
  ids: readonly number[],
  { stage }: RetryOptions,
): Promise<Result> {
  if (ids.length === 0) return retryGroup(admin, stage)
  const retried: RetriedJob[] = []
  for (let from = 0; from < ids.length; from += pageSize) {
    const body = { ids: ids.slice(from, from + pageSize), ...admin.reason }
    const { jobs, stoppedAt } = await retry(admin, body, retried)
    retried.push(...jobs)
    if (stoppedAt !== null) return retriedResult(retried, stoppedAt)
  }
  return retriedResult(retried, null)
}

async function retry(
  admin: AdminClient,
  body: NonNullable<RequestInput<'retryParked'>['body']>,
  before: readonly RetriedJob[],
): Promise<ResponseData<'retryParked'>> {
  try {
    return await admin.call('retryParked', { body })
  } catch (error) {
    throw before.length === 0 ? error : toPartialFailure(`${before.length} jobs were retried`, error)
  }
}

/**
 * Retries the jobs that are parked now: a job that is parked again in the meantime is not retried twice. Jobs
 * that no stage can read belong to no group, and are reported as unreadable.
 */
async function retryGroup(admin: AdminClient, stage: RetryStage | undefined): Promise<Result> {
  const listed = await readJobs(admin, stage)
  const unreadable = listed.filter((job) => job.stage === 'unreadable')
  const retried: RetriedJob[] = []
  let stoppedAt: ResponseData<'retryParked'>['stoppedAt'] = null
  for (let more = listed.length > unreadable.length; more;) {
    const group = { stage, lastId: listed.at(-1)!.id, afterId: retried.at(-1)?.id ?? 0 }
    const response = await retry(admin, { group, ...admin.reason }, retried)
    retried.push(...response.jobs)
    stoppedAt = response.stoppedAt
    more = response.more && response.jobs.length > 0
  }
  const stoppedAtId = stoppedAt?.id ?? Infinity
  for (const job of unreadable)
    if (job.id < stoppedAtId) retried.push({ id: job.id, stage: job.stage, result: 'unreadable' })
  return retriedResult(
    retried.sort((left, right) => left.id - right.id),
    stoppedAt,
  )
}

type RetriedJob = ResponseData<'retryParked'>['jobs'][number]

const descriptions: Readonly<Record<RetriedJob['result'], (job: RetriedJob) => string>> = {
  retried: ({ stage }) => `passed to ${stage} again`,
  'parked-again': () => 'retried, and already parked again',
  ended: () => 'its step had already ended; removed',
  unreadable: ({ id }) => `no stage can read it; drop it with \`postern parked drop ${id} --reason …\``,
}

function retriedResult(
  jobs: readonly RetriedJob[],
  stoppedAt: ResponseData<'retryParked'>['stoppedAt'],
): Result {
  const lines = jobs.map((job) => `${job.id}: ${descriptions[job.result](job)}`)
  if (stoppedAt !== null)
    lines.push(`${stoppedAt.id}: ${stoppedAt.error}; stopped. Run the command again for the rest`)
  else if (jobs.length === 0) lines.push('no job to retry')
  return { json: { jobs, stoppedAt }, lines, failed: stoppedAt !== null }
}
