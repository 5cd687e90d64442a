/** `postern parked retry`: hands parked jobs to their stage again, and reports what became of each. */
import { retryJobs, type RetryChoice } from '../../acts/parked.ts'
import type { Engines } from '../connect-broker.ts'
import type { Result } from '../result.ts'
import { retriedResult } from './view.ts'

export async function retryParkedJobs(engines: Engines, choice: RetryChoice): Promise<Result> {
  const { jobs, stoppedAt } = await retryJobs(engines, choice)
  return retriedResult(
    jobs.map(({ row: { id, stage }, result }) => ({ id, stage, result })),
    stoppedAt,
  )
}
