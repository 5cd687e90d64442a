/** `postern worker list` over the admin API. */
import type { AdminClient } from '../client/client.ts'
import type { Result } from '../result.ts'
import { workersResult } from './workers-view.ts'

export async function listRunningWorkers(admin: AdminClient): Promise<Result> {
  const { workers } = await admin.call('listWorkers', {})
  return workersResult(workers)
}
