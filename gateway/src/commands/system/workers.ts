/** `postern worker list`: the workers that run, and what each of them owns. */
import { createTopology } from '../../jobs/queues.ts'
import { clock } from '../../platform/clock.ts'
import { listWorkers, type WorkerRow } from '../../pipeline/dispatch/workers-table.ts'
import { loadRouteRules } from '../../routes/queries.ts'
import { sharesOf } from '../../routes/shares.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import { table, type Result } from '../result.ts'

const titles = ['worker', 'host', 'since', 'state', 'partitions', 'routes', 'last heartbeat']

export function listRunningWorkers(invocation: Invocation): Promise<Result> {
  return withDatabase(invocation, async (database) => {
    const topology = createTopology('')
    const partitions = (await loadRouteRules(database))
      .filter((route) => route.enabled)
      .flatMap(sharesOf)
      .map((share) => topology.partitionOf(share.id))
    const workers = (await listWorkers(database)).map((worker) => {
      const own = new Set(worker.partitions)
      const routes = partitions.filter((partition) => own.has(partition)).length
      const { id, host, startedAt, seenAt } = worker
      return { id, host, startedAt, seenAt, state: stateOf(worker), partitions: worker.partitions, routes }
    })
    const rows = workers.map((worker) => [
      worker.id,
      worker.host,
      worker.startedAt.toISOString(),
      worker.state,
      String(worker.partitions.length),
      String(worker.routes),
      `${Math.max(0, Math.round((clock.now() - worker.seenAt.getTime()) / 1000))} s ago`,
    ])
    return { json: { workers }, lines: table([titles, ...rows]) }
  })
}

function stateOf({ live, available }: WorkerRow): string {
  if (!live) return 'silent'
  return available ? 'running' : 'takes no routes'
}
