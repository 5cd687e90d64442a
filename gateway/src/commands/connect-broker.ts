/** Opens PostgreSQL and RabbitMQ around a command and closes both. */
import { createTopology, type Topology } from '../jobs/queues.ts'
import { openBroker, type Broker } from '../platform/broker/broker.ts'
import type { Database } from '../platform/database.ts'
import { createLog } from '../platform/log.ts'
import { withDatabase } from './connect.ts'
import { FailedError } from './errors.ts'

export interface Engines {
  readonly database: Database
  readonly broker: Broker
  readonly topology: Topology
}

const brokerWaitMs = 10_000

export function withEngines<T>(work: (engines: Engines) => Promise<T>): Promise<T> {
  return withDatabase(async (database, config) => {
    // First, so that an unavailable PostgreSQL is reported without the wait for RabbitMQ.
    await database.query('select 1')
    const broker = openBroker(config.brokerUrls, config.publishTimeoutMs, createLog('error', 'cli'))
    try {
      const topology = createTopology(config.queuePrefix)
      await withinWait(
        broker.declare([topology.parked, topology.accepted, topology.receipts]),
        config.brokerUrls,
      )
      return await work({ database, broker, topology })
    } finally {
      await broker.close()
    }
  })
}

async function withinWait(connecting: Promise<void>, urls: readonly string[]): Promise<void> {
  const addresses = urls.map((url) =>
    URL.canParse(url) ? new URL(url).host : 'an address in POSTERN_BROKER_URLS',
  )
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => {
      const text = `RabbitMQ at ${addresses.join(', ')} does not answer within ${brokerWaitMs / 1000} s; check that it is running and that POSTERN_BROKER_URLS names it`
      reject(new FailedError(text))
    }, brokerWaitMs).unref()
  })
  await Promise.race([connecting, late])
}
