/** `postern parked list`: every parked job, the oldest first. Changes nothing. */
import { listParked } from '../../records/parked/queries.ts'
import type { Engines } from '../connect-broker.ts'
import type { Result } from '../result.ts'
import { jobJson, jobLine } from './job.ts'

const pageSize = 200

export async function listParkedJobs({ database, broker, topology }: Engines): Promise<Result> {
  const parked: ReturnType<typeof jobJson>[] = []
  const lines: string[] = []
  // By pages, and without the payloads: there may be many.
  for (let page = await listParked(database, 0, pageSize); page.length > 0;) {
    parked.push(...page.map(jobJson))
    lines.push(...page.map(jobLine))
    page = await listParked(database, page.at(-1)!.id, pageSize)
  }
  const queued = await broker.depth(topology.parked)
  if (parked.length === 0) lines.push('no job is parked')
  if (queued > 0)
    lines.push(`${queued} more in the queue ${topology.parked.name}: a running worker moves them here`)
  return { json: { parked, queued }, lines }
}
