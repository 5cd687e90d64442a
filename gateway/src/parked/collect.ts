/**
 * Moves what lies in the broker's parking queue into a table, where it can be looked at one by one without being
 * taken from its place. Acknowledged after the row is committed; a repeated delivery is the same row.
 */
import type { Broker } from '../platform/broker/broker.ts'
import type { Topology } from '../jobs/queues.ts'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { every, type Periodic } from '../platform/periodic.ts'
import { countParked, saveParked } from './queries.ts'
import { readParked, readUnreadable, type ParkedJob } from './read.ts'

export interface CollectContext {
  readonly broker: Broker
  readonly topology: Topology
  readonly database: Database
  readonly metrics: Metrics
  readonly log: Log
}

const countEveryMs = 5_000

export function collectParked({ broker, topology, database, metrics, log }: CollectContext): Periodic {
  async function keep(jobs: readonly ParkedJob[]): Promise<void> {
    await saveParked(database, jobs)
    // At once, so that an alert need not wait for the next count, which also knows of repeated ones.
    metrics.parkedNow.inc(jobs.length)
  }
  const consumption = broker.consume(
    topology.parked,
    {
      prefetch: 8,
      onUnreadable: (body, rejectedBy) => keep([readUnreadable(body, rejectedBy)]),
    },
    ({ jobs, rejectedBy }) => keep(jobs.map((job) => readParked(job, rejectedBy, topology))),
  )
  const counting = every(countEveryMs, 'counting what is parked', log, async () => {
    metrics.parkedNow.set(await countParked(database))
  })
  return {
    async stop() {
      await Promise.all([consumption.stop(), counting.stop()])
    },
  }
}
