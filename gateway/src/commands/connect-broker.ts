/** Opens PostgreSQL and RabbitMQ around a command and closes both. */
import { createTopology, fixedQueues, type Topology } from '../jobs/queues.ts'
import { openBroker, type Broker } from '../platform/broker/broker.ts'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/database.ts'
import { createLog } from '../platform/log.ts'
import type { ActAudit } from '../acts/act-audit.ts'
import { openMessageCipher, withDatabase } from './connect.ts'
import { FailedError } from './errors.ts'
import type { Invocation } from './invocation.ts'
import type { BaseSetting, EngineSetting } from './setting-lists.ts'

export interface Engines<Key extends keyof Config = never> {
  readonly database: Database
  readonly config: Pick<Config, Key | EngineSetting | BaseSetting>
  readonly audit: ActAudit
  readonly broker: Broker
  readonly topology: Topology
}

const brokerWaitMs = 10_000

export function withEngines<T, Key extends keyof Config = never>(
  invocation: Invocation<Key | EngineSetting>,
  work: (engines: Engines<Key>) => Promise<T>,
): Promise<T> {
  return withDatabase(invocation, async (database, config, audit) => {
    // First, so that an unavailable PostgreSQL is reported without the wait for RabbitMQ.
    await database.query('select 1')
    await openMessageCipher(database, config, invocation)
    const broker = openBroker(
      config.brokerUrls,
      config.publishTimeoutMs,
      createLog('error', 'cli'),
      undefined,
      { caFile: config.brokerCaFile, certFile: config.brokerCertFile, keyFile: config.brokerKeyFile },
    )
    try {
      const topology = createTopology(config.queuePrefix)
      await connect(broker, topology, config.brokerUrls)
      return await work({ database, broker, topology, config, audit })
    } finally {
      await broker.close()
    }
  })
}

/** The first declaration connects. The broker gives up after POSTERN_PUBLISH_TIMEOUT_MS, and this at the latest. */
async function connect(broker: Broker, topology: Topology, urls: readonly string[]): Promise<void> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`no answer within ${brokerWaitMs / 1000} s`)), brokerWaitMs).unref()
  })
  try {
    await Promise.race([broker.declare(fixedQueues(topology)), late])
  } catch (error) {
    const addresses = urls.map((url) => (URL.canParse(url) ? new URL(url).host : 'an invalid address'))
    throw new FailedError(
      `RabbitMQ at ${addresses.join(', ')} is unavailable (${(error as Error).message}); check that it is running and that POSTERN_BROKER_URLS names it`,
    )
  }
}
