/** The workers that run, and how many routes each of them owns, for `postern worker list` and the admin API. */
import { createTopology } from '../jobs/queues.ts'
import { listWorkers, type WorkerRow } from '../platform/membership/tables.ts'
import type { Queryable } from '../platform/database.ts'
import { loadRouteRules } from '../routes/queries.ts'
import { sharesOf } from '../routes/shares.ts'

export interface WorkerWithRoutes extends WorkerRow {
  /** Shares of enabled routes in its partitions. */
  readonly routes: number
}

export async function listWorkersWithRoutes(database: Queryable): Promise<WorkerWithRoutes[]> {
  const topology = createTopology('')
  const partitions = (await loadRouteRules(database))
    .filter((route) => route.enabled)
    .flatMap(sharesOf)
    .map((share) => topology.partitionOf(share.id))
  return (await listWorkers(database)).map((worker) => {
    const own = new Set(worker.partitions)
    return { ...worker, routes: partitions.filter((partition) => own.has(partition)).length }
  })
}
