/**
 * Whether a run may kill and stop the engines: only those of a service set of this project. A test must not break a
 * PostgreSQL or RabbitMQ that other people use.
 */
import { serviceUrls } from '../../../../scripts/services/index.ts'
import { requireSet } from '../../../../scripts/services/service-set.ts'

export interface BreakableServices {
  /** Three RabbitMQ nodes, and PostgreSQL with a standby. */
  readonly redundant: boolean
}

/** The reason why the engines in the environment must not be broken, or nothing when they may be. */
export function whyNotBreakable({ redundant }: BreakableServices): string | undefined {
  const { POSTERN_DATABASE_URL, POSTERN_BROKER_URLS } = process.env
  try {
    const own = serviceUrls()
    if (own.databaseUrl === POSTERN_DATABASE_URL && own.brokerUrls.join(',') === POSTERN_BROKER_URLS) {
      const { nodes, pair } = requireSet()
      if (!redundant || (nodes === 3 && pair !== undefined)) return
      return 'This run needs three broker nodes and a standby: npm run services -- up --cluster 3 --standby'
    }
  } catch {
    // There is no service set.
  }
  return (
    'This run breaks PostgreSQL and RabbitMQ, so it uses only a service set of its own. Unset ' +
    'POSTERN_DATABASE_URL, POSTERN_BROKER_URLS and POSTERN_REDIS_URL, or set POSTERN_SERVICES_DIR to the ' +
    'directory of the set that they belong to.'
  )
}
