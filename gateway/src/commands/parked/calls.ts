/** The commands of parked jobs over the admin API. */
import type { RetryStage } from '../../records/parked/read.ts'
import { pageSize, type AdminClient, type Data, type Input, type Item } from '../client/client.ts'
import { failedAfter } from '../client/explain.ts'
import type { Result } from '../result.ts'
import { droppedResult, jobResult, parkedResult, retriedResult, type RetriedJob } from './view.ts'

export async function listParkedJobs(admin: AdminClient): Promise<Result> {
  const jobs = await readJobs(admin)
  const { queues } = await admin.call('showNow', {})
  return parkedResult(jobs, queues.find(({ stage }) => stage === 'parked')?.messages ?? null)
}

function readJobs(admin: AdminClient, stage?: RetryStage): Promise<Item<'listParked'>[]> {
  return admin.readAll((page) => admin.call('listParked', { query: { ...page, stage } }))
}

export async function showParkedJob(
  admin: AdminClient,
  id: number,
  { reveal }: { readonly reveal?: boolean },
): Promise<Result> {
  const query = reveal === true ? { reveal, ...admin.reason } : {}
  return jobResult(await admin.call('showParked', { params: { id }, query }))
}

export interface RetryOptions {
  readonly all?: boolean
  readonly stage?: RetryStage
}

/** Up to 200 jobs a request: each is recorded, and what was handed over stays so when a later one fails. */
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
  body: NonNullable<Input<'retryParked'>['body']>,
  before: readonly RetriedJob[],
): Promise<Data<'retryParked'>> {
  try {
    return await admin.call('retryParked', { body })
  } catch (error) {
    throw before.length === 0 ? error : failedAfter(`${before.length} jobs were retried`, error)
  }
}

/**
 * The jobs that are parked now: a job that is parked again meanwhile is not retried a second time. What no stage can read is in no group, and is
 * reported as on the database.
 */
async function retryGroup(admin: AdminClient, stage: RetryStage | undefined): Promise<Result> {
  const listed = await readJobs(admin, stage)
  const unreadable = listed.filter((job) => job.stage === 'unreadable')
  const retried: RetriedJob[] = []
  let stoppedAt: Data<'retryParked'>['stoppedAt'] = null
  for (let more = listed.length > unreadable.length; more;) {
    const group = { stage, lastId: listed.at(-1)!.id, afterId: retried.at(-1)?.id ?? 0 }
    const answer = await retry(admin, { group, ...admin.reason }, retried)
    retried.push(...answer.jobs)
    stoppedAt = answer.stoppedAt
    more = answer.more && answer.jobs.length > 0
  }
  const before = stoppedAt?.id ?? Infinity
  for (const job of unreadable)
    if (job.id < before) retried.push({ id: job.id, stage: job.stage, result: 'unreadable' })
  return retriedResult(
    retried.sort((left, right) => left.id - right.id),
    stoppedAt,
  )
}

export async function dropParkedJob(admin: AdminClient, id: number): Promise<Result> {
  const { effect } = await admin.call('dropParked', { params: { id }, body: admin.requireReason() })
  return droppedResult(id, effect)
}
