/** `postern parked list`: every parked job, the oldest first. Changes nothing. */
import { listParked } from '../../records/parked/queries.ts'
import type { Engines } from '../connect-broker.ts'
import type { Result } from '../result.ts'
import { parkedResult, type ShownJob } from './view.ts'

const pageSize = 200

export async function listParkedJobs({ database, broker, topology }: Engines): Promise<Result> {
  const jobs: ShownJob[] = []
  // By pages, and without the payloads: there may be many.
  for (let page = await listParked(database, 0, pageSize); page.length > 0;) {
    for (const { id, stage, msgKey, reason, times, parkedAt } of page)
      jobs.push({ id, stage, msgKey, reason, times, parkedAt })
    page = await listParked(database, page.at(-1)!.id, pageSize)
  }
  return parkedResult(jobs, await broker.depth(topology.parked))
}
