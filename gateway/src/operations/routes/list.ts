/** Lists every route with its rules, shares, owners and health. */
import { createTopology } from '../../jobs/queues.ts'
import { listWorkers } from '../../platform/membership/tables.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { loadRouteRules } from '../../carriers/routes/queries.ts'
import { readHealth, type ReadHealth } from '../../carriers/routes/read-health.ts'
import type { Route } from '../../carriers/routes/route.ts'
import { listShares } from '../../carriers/routes/shares.ts'

export interface ListedRoute {
  readonly route: Route
  /** Client IDs of its accounts; `account N` for an account that no longer exists. */
  readonly accounts: readonly string[]
  readonly shares: readonly ListedShare[]
  readonly usable: boolean
  /**
   * `healthy`, a phrase that follows the ID of the route, such as `is not linked`, or the number of usable
   * shares if they differ.
   */
  readonly state: string
}

export interface ListedShare {
  readonly id: string
  /** Host and process of the worker that owns it. */
  readonly worker: string | null
  readonly usable: boolean
  readonly state: string
  /**
   * Why it is not linked, as reported by the carrier or the network; null if it is linked or the reason is
   * unknown.
   */
  readonly linkReason: string | null
}

/** Returns the routes in order of preference. */
export async function listRoutes(database: Queryable): Promise<ListedRoute[]> {
  const routes = await loadRouteRules(database)
  const health = await readHealth(database, routes)
  const clientIds = await findClientIds(
    database,
    routes.flatMap(({ accounts }) => accounts),
  )
  const workers = (await listWorkers(database)).filter(({ live }) => live)
  // The partition of a share does not depend on the prefix of the queues.
  const topology = createTopology('')
  return routes.map((route): ListedRoute => {
    const shares = listShares(route).map(({ id }): ListedShare => {
      const partition = topology.getPartition(id)
      const owner = route.enabled
        ? workers.find(({ partitions }) => partitions.includes(partition))
        : undefined
      return { id, worker: owner?.host ?? null, ...getShareState(route, health(id)) }
    })
    const accounts = route.accounts.map((id) => clientIds.get(id) ?? `account ${id}`)
    return { route, accounts, shares, ...summarizeShares(shares) }
  })
}

export async function findClientIds(
  database: Queryable,
  accountIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (accountIds.length === 0) return new Map()
  const result = await database.query<{ id: number; clientId: string }>(
    'select id, client_id as "clientId" from accounts where id = any ($1)',
    [[...new Set(accountIds)]],
  )
  return new Map(result.rows.map(({ id, clientId }) => [id, clientId]))
}

function summarizeShares(shares: readonly ListedShare[]): Pick<ListedRoute, 'usable' | 'state'> {
  const usable = shares.filter((share) => share.usable).length
  const [first] = shares
  if (shares.every(({ state }) => state === first!.state)) return { usable: usable > 0, state: first!.state }
  return { usable: usable > 0, state: `${usable} of ${shares.length} shares can be used` }
}

function getShareState(
  { enabled }: Route,
  { usable, reason = 'healthy', linkReason }: ReadHealth,
): Pick<ListedShare, 'usable' | 'state' | 'linkReason'> {
  if (!enabled) return { usable: false, state: 'is disabled', linkReason: null }
  return { usable, state: reason, linkReason }
}
