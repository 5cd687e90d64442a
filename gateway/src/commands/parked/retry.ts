/** `postern parked retry`: hands parked jobs to their stage again, and reports what became of each. */
import { retryJobs, type RetryChoice } from '../../acts/parked.ts'
import type { RetryResult } from '../../parked/retry.ts'
import type { ParkedRow } from '../../records/parked/queries.ts'
import type { Engines } from '../connect-broker.ts'
import type { Result } from '../result.ts'

const descriptions: Readonly<Record<RetryResult, (row: ParkedRow) => string>> = {
  retried: ({ stage }) => `handed to ${stage} again`,
  'parked-again': () => 'handed over, and already parked again',
  ended: () => 'its step had already ended; removed',
  unreadable: ({ id }) => `no stage can read it; \`postern parked drop ${id}\` gives it up`,
}

export async function retryParkedJobs(engines: Engines, choice: RetryChoice): Promise<Result> {
  const { jobs, stoppedAt } = await retryJobs(engines, choice)
  const lines = jobs.map(({ row, result }) => `${row.id}: ${descriptions[result](row)}`)
  if (stoppedAt !== null)
    lines.push(`${stoppedAt.id}: ${stoppedAt.error}; stopped here, run the command again for the rest`)
  else if (jobs.length === 0) lines.push('no job to retry')
  return {
    json: { jobs: jobs.map(({ row, result }) => ({ id: row.id, result })), stoppedAt },
    lines,
    failed: stoppedAt !== null,
  }
}
