/**
 * Moves jobs from the parking queue of the broker into the table `parked`, where an operator can read them one
 * by one. A job is acknowledged after its row is committed; a repeated delivery updates the same row. Every
 * worker stores the jobs it receives in the order of the queue.
 */
import type { Broker } from '../../platform/broker/broker.ts'
import type { Topology } from '../../jobs/queues.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/logging/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { every, type Periodic } from '../../platform/time/periodic.ts'
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

export function startParkedCollector({ broker, topology, database, metrics, log }: CollectContext): Periodic {
  async function save(jobs: readonly ParkedJob[]): Promise<void> {
    await saveParked(database, jobs)
    // Count immediately, so that an alert need not wait for the next count, which also corrects for repeated
    // deliveries.
    metrics.parkedNow.inc(jobs.length)
  }
  const consumption = broker.consume(
    topology.parked,
    {
      // One after the other, so that rows are numbered in the order in which their jobs were parked.
      prefetch: 1,
      onUnreadable: (body) => save([readUnreadable(body)]),
    },
    ({ jobs }) => save(jobs.flatMap((entry) => readParked(entry, topology))),
  )
  const counting = every(countEveryMs, 'counting parked jobs', log, async () => {
    metrics.parkedNow.set(await countParked(database))
  })
  return {
    async stop() {
      await Promise.all([consumption.stop(), counting.stop()])
    },
  }
}
