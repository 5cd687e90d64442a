/**
 * Moves opt-outs that carriers reported from the broker to the lists of recipients. A job is acknowledged when it is stored;
 * while PostgreSQL is unavailable it stays in its queue. A job that comes twice, or after a later choice, changes nothing. One that
 * cannot be read or stored is parked, so that it keeps no other waiting.
 */
import type { OptOutJob } from '../../jobs/jobs.ts'
import type { Topology } from '../../jobs/queues.ts'
import { readOptOutJob } from '../../jobs/read.ts'
import type { Broker } from '../../platform/broker/broker.ts'
import type { Consumption } from '../../platform/broker/consume.ts'
import type { Database } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { parkJob } from '../../records/parked/park.ts'
import { setChoicesOfAccounts } from '../../trust/suppression/several-accounts.ts'

export interface StoreOptOutsContext {
  readonly broker: Broker
  readonly topology: Topology
  readonly database: Database
  readonly metrics: Pick<Metrics, 'parked'>
  readonly log: Log
}

export function startStoringOptOuts(context: StoreOptOutsContext): Consumption {
  const { broker, topology, database } = context
  async function store({ routeId, choices, state, source, at }: OptOutJob): Promise<void> {
    const change = {
      state,
      source,
      reason: `over route ${routeId}`,
      since: new Date(at),
      onlyOlder: true,
    } as const
    const recipients = choices.map(({ accountId, recipient }) => ({
      accountId,
      recipient: Buffer.from(recipient, 'base64'),
    }))
    await setChoicesOfAccounts(database, recipients, change)
  }
  // One after the other: a recipient may opt out and in again.
  return broker.consume(topology.optOuts, { prefetch: 1 }, async ({ jobs }) => {
    for (const candidate of jobs) {
      const read = readOptOutJob(candidate)
      if (read.ok) await store(read.job)
      else await parkJob(context, 'opt-outs', candidate, read.reason)
    }
  })
}
