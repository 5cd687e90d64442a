/**
 * Checks whether a run may kill and stop the engines: only those of a service set of this project. A test
 * must not break a PostgreSQL or RabbitMQ that other people use.
 */
import { serviceUrls } from '../../../../tools/engines/index.ts'
import { requireSet } from '../../../../tools/engines/service-set.ts'

export interface BreakingRun {
  /** Whether the run requires three RabbitMQ nodes, and PostgreSQL with a standby. */
  readonly needsRedundancy: boolean
}

/** Returns why the run must not break the engines in the environment, or cannot use them; otherwise undefined. */
export function findReasonNotToBreak({ needsRedundancy }: BreakingRun): string | undefined {
  const { POSTERN_DATABASE_URL, POSTERN_BROKER_URLS } = process.env
  try {
    const ownServices = serviceUrls()
    if (
      ownServices.databaseUrl === POSTERN_DATABASE_URL &&
      ownServices.brokerUrls.join(',') === POSTERN_BROKER_URLS
    ) {
      const { nodes, pair } = requireSet()
      if (!needsRedundancy || (nodes === 3 && pair !== undefined)) return undefined
      return 'this run requires three broker nodes and a standby; run npm run engines -- up --cluster 3 --standby'
    }
  } catch {
    // There is no service set.
  }
  return (
    'this run breaks PostgreSQL and RabbitMQ, so it requires its own service set. Unset ' +
    'POSTERN_DATABASE_URL, POSTERN_BROKER_URLS and POSTERN_REDIS_URL, or set POSTERN_SERVICES_DIR to the ' +
    'folder of their set.'
  )
}
