/** `postern worker list`: the workers that run, and what each of them owns. */
import { listWorkersWithRoutes, type WorkerWithRoutes } from '../../acts/list-workers.ts'
import { clock } from '../../platform/clock.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { workersResult } from './workers-view.ts'

export function listRunningWorkers(invocation: Invocation): Promise<Result> {
  return withDatabase(invocation, async (database) =>
    workersResult(
      (await listWorkersWithRoutes(database)).map((worker) => ({
        ...{ ...worker, state: stateOf(worker) },
        silentSeconds: Math.max(0, Math.round((clock.now() - worker.seenAt.getTime()) / 1000)),
      })),
    ),
  )
}

function stateOf({ live, available }: WorkerWithRoutes): string {
  if (!live) return 'silent'
  return available ? 'running' : 'takes no routes'
}
