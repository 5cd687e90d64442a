/** Retries parked jobs: those that are named, or all jobs of a stage. */
import type { RetryStage } from '../../records/parked/read.ts'
import { pageSize, type AdminClient, type Data, type Input, type Item } from '../client/client.ts'
import { failedAfter } from '../client/explain.ts'
import type { Result } from '../result.ts'

function readJobs(admin: AdminClient, stage?: RetryStage): Promise<Item<'listParked'>[]> {
  return admin.readAll((page) => admin.call('listParked', { query: { ...page, stage } }))
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
 * The jobs that are parked now: a job that is parked again meanwhile is not retried a second time. What no stage can read is in no group,
 * and is reported as unreadable.
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

type RetriedJob = Data<'retryParked'>['jobs'][number]

const descriptions: Readonly<Record<RetriedJob['result'], (job: RetriedJob) => string>> = {
  retried: ({ stage }) => `handed to ${stage} again`,
  'parked-again': () => 'handed over, and already parked again',
  ended: () => 'its step had already ended; removed',
  unreadable: ({ id }) => `no stage can read it; \`postern parked drop ${id} --reason …\` gives it up`,
}

function retriedResult(jobs: readonly RetriedJob[], stoppedAt: Data<'retryParked'>['stoppedAt']): Result {
  const lines = jobs.map((job) => `${job.id}: ${descriptions[job.result](job)}`)
  if (stoppedAt !== null)
    lines.push(`${stoppedAt.id}: ${stoppedAt.error}; stopped here, run the command again for the rest`)
  else if (jobs.length === 0) lines.push('no job to retry')
  return { json: { jobs, stoppedAt }, lines, failed: stoppedAt !== null }
}
