/** SQL of the routes table; its only writer. */
import { possibleShareIds, routeOfShare, nthOfShare } from '../jobs/route-share.ts'
import type { Queryable } from '../platform/database.ts'
import { inClear, type FieldCipher } from '../platform/encryption/field-cipher.ts'
import { rowVersions } from '../platform/table-cache.ts'
import { decryptOptions, encryptOptions } from './encrypted-options.ts'
import { openRules, type Route, type RouteDraft, type Traffic } from './route.ts'

/**
 * Writes the whole route: a rule that is left out matches everything again. What an operator lets it do stays: a new weight does not
 * reopen a route that is drained. With a cipher it needs a transaction, see
 * `FieldCipher.encrypt`.
 */
export async function upsertRoute(
  database: Queryable,
  draft: RouteDraft,
  cipher: FieldCipher = inClear,
): Promise<void> {
  const route: Route = { ...openRules, ...draft }
  const options = await encryptOptions(database, cipher, route.id, route.options)
  await database.query(
    `insert into routes (id, channels, protocol, options, priority, parts_per_second, enabled, account_ids, prefixes,
                         carriers, weight, min_delivery_rate, failover_after_seconds, unknown_policy, owners)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
     on conflict (id) do update set channels = $2, protocol = $3, options = $4, priority = $5,
       parts_per_second = $6, enabled = $7, account_ids = $8, prefixes = $9, carriers = $10, weight = $11,
       min_delivery_rate = $12, failover_after_seconds = $13, unknown_policy = $14, owners = $15, updated_at = now()`,
    [
      route.id,
      route.channels,
      route.protocol,
      options,
      route.priority,
      route.partsPerSecond,
      route.enabled,
      route.accounts,
      route.prefixes,
      route.carriers,
      route.weight,
      route.minDeliveryRate,
      route.failoverAfterSeconds,
      route.unknownPolicy,
      route.owners,
    ],
  )
}

/** A route that is enabled is open again. */
export async function setRouteEnabled(database: Queryable, id: string, enabled: boolean): Promise<void> {
  await database.query(
    `update routes set enabled = $2, traffic = case when $2 then 'open' else traffic end, updated_at = now() where id = $1`,
    [id, enabled],
  )
}

/** Returns what it was before; null when there is no such route. In a transaction. */
export async function setRouteTraffic(
  transaction: Queryable,
  id: string,
  traffic: Traffic,
): Promise<Pick<Route, 'enabled' | 'traffic'> | null> {
  const found = await transaction.query<Pick<Route, 'enabled' | 'traffic'>>(
    'select enabled, traffic from routes where id = $1 for update',
    [id],
  )
  const before = found.rows[0]
  if (before === undefined) return null
  await transaction.query('update routes set traffic = $2, updated_at = now() where id = $1', [id, traffic])
  return before
}

/** Returns the rate before; null when there is no such route. In a transaction. */
export async function setRouteRate(
  transaction: Queryable,
  id: string,
  partsPerSecond: number,
): Promise<number | null> {
  const found = await transaction.query<{ before: number }>(
    'select parts_per_second as before from routes where id = $1 for update',
    [id],
  )
  const before = found.rows[0]?.before
  if (before === undefined) return null
  await transaction.query('update routes set parts_per_second = $2, updated_at = now() where id = $1', [
    ...[id, partsPerSecond],
  ])
  return before
}

/** Replaces the options of a link. False when there is no such route of the protocol. In a transaction. */
export async function setRouteOptions(
  transaction: Queryable,
  { id, protocol, options }: Pick<Route, 'id' | 'protocol' | 'options'>,
  cipher: FieldCipher,
): Promise<boolean> {
  const stored = await encryptOptions(transaction, cipher, id, options)
  const result = await transaction.query(
    'update routes set options = $3, updated_at = now() where id = $1 and protocol = $2',
    [id, protocol, stored],
  )
  return result.rowCount === 1
}

/**
 * Changes with every change of the route; null when there is none. Locks it, and the id of one that does not exist yet, so that of two who
 * create it one finds it. In a transaction.
 */
export async function lockRouteVersion(transaction: Queryable, id: string): Promise<string | null> {
  await transaction.query(`select pg_advisory_xact_lock(hashtextextended('route ' || $1, 0))`, [id])
  const found = await transaction.query<{ version: string }>(
    `select ${routeVersion} as version from routes where id = $1 for update`,
    [id],
  )
  return found.rows[0]?.version ?? null
}

export async function readRouteVersion(database: Queryable, id: string): Promise<string | null> {
  const found = await database.query<{ version: string }>(
    `select ${routeVersion} as version from routes where id = $1`,
    [id],
  )
  return found.rows[0]?.version ?? null
}

/** In microseconds: the time of the last change. */
const routeVersion = `(extract(epoch from updated_at) * 1000000)::bigint::text`

/** False when there is no such route. */
export async function deleteRoute(database: Queryable, id: string): Promise<boolean> {
  const result = await database.query('delete from routes where id = $1', [id])
  await database.query('delete from route_states where route_id = any($1)', [possibleShareIds(id)])
  return result.rowCount === 1
}

/**
 * Of the given shares those whose route exists, each with the share for which its steps can wait: the same one, or the
 * first one of the route when the route has fewer owners now.
 */
export async function findExistingShares(
  database: Queryable,
  shareIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await database.query<{ id: string; owners: number }>({
    name: 'find-existing-routes',
    text: 'select id, owners from routes where id = any($1)',
    values: [[...new Set(shareIds.map(routeOfShare))]],
  })
  const owners = new Map(found.rows.map((route) => [route.id, route.owners]))
  const existing = shareIds.filter((shareId) => owners.has(routeOfShare(shareId)))
  return new Map(
    existing.map((shareId) => {
      const routeId = routeOfShare(shareId)
      return [shareId, nthOfShare(shareId) <= owners.get(routeId)! ? shareId : routeId]
    }),
  )
}

const columns = `id, channels, protocol, priority, parts_per_second as "partsPerSecond", enabled,
  account_ids as accounts, prefixes, carriers, weight, min_delivery_rate as "minDeliveryRate",
  failover_after_seconds as "failoverAfterSeconds", unknown_policy as "unknownPolicy", owners, traffic`

export async function loadRoutes(database: Queryable, cipher: FieldCipher = inClear): Promise<Route[]> {
  const result = await database.query<Route>(`select ${columns}, options from routes order by priority, id`)
  return Promise.all(
    result.rows.map(async (row) => ({
      ...row,
      options: await decryptOptions(database, cipher, row.id, row.options),
    })),
  )
}

/** With empty options: for readers that do not use the link, and need no master key. */
export async function loadRouteRules(database: Queryable): Promise<Route[]> {
  const result = await database.query<Route>(
    `select ${columns}, '{}'::jsonb as options from routes order by priority, id`,
  )
  return result.rows
}

/** Changes whenever a route changes or the numbering table is imported (`ranges.ts` updates the routes). */
export async function routesVersion(database: Queryable): Promise<string> {
  const result = await database.query<{ version: string }>({
    name: 'read-routes-version',
    text: `select ${rowVersions} as version from routes`,
  })
  return result.rows[0]!.version
}
