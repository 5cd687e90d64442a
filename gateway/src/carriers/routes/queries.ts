/** SQL of the routes table. Other files change only `updated_at`, or `options` when they are encrypted again. */
import { possibleShareIds, parseShareRoute, parseShareNumber } from '../../jobs/route-share.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { plaintextCipher, type FieldCipher } from '../../platform/encryption/field-cipher.ts'
import { rowVersions } from '../../platform/database/table-cache.ts'
import { decryptOptions, encryptOptions } from './encrypted-options.ts'
import { openRules, type Route, type RouteDraft, type Traffic } from './route.ts'

/**
 * Inserts or replaces a route; omitted rules match everything. Does not change `traffic`: a new weight does not reopen a
 * drained route. With a cipher, `database` must be a transaction, see `FieldCipher.encrypt`.
 */
export async function upsertRoute(
  database: Queryable,
  draft: RouteDraft,
  cipher: FieldCipher = plaintextCipher,
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

/** Enabling a route also sets its traffic to open. */
export async function setRouteEnabled(database: Queryable, id: string, enabled: boolean): Promise<void> {
  await database.query(
    `update routes set enabled = $2, traffic = case when $2 then 'open' else traffic end, updated_at = now() where id = $1`,
    [id, enabled],
  )
}

/** Stores who has saved a route that nobody has reviewed yet; none if it needs no review. */
export async function setUnreviewedAuthors(
  transaction: Queryable,
  id: string,
  authors: readonly string[],
): Promise<void> {
  await transaction.query('update routes set unreviewed_by = $2 where id = $1', [id, authors])
}

export async function readUnreviewedAuthors(database: Queryable, id: string): Promise<readonly string[]> {
  const { rows } = await database.query<{ authors: readonly string[] }>(
    'select unreviewed_by as authors from routes where id = $1',
    [id],
  )
  return rows[0]?.authors ?? []
}

/** Loads the routes with their links, except those that nobody has reviewed. */
export async function loadReviewedRoutes(database: Queryable, cipher: FieldCipher): Promise<Route[]> {
  const { rows } = await database.query<{ id: string }>(`select id from routes where unreviewed_by <> '{}'`)
  const unreviewed = new Set(rows.map(({ id }) => id))
  return (await loadRoutes(database, cipher)).filter(({ id }) => !unreviewed.has(id))
}

/** Returns the previous values, or null if the route does not exist. Requires a transaction. */
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

/** Returns the previous rate, or null if the route does not exist. Requires a transaction. */
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
    id,
    partsPerSecond,
  ])
  return before
}

/** Replaces the options of a link. Returns false if no such route of the protocol exists. Requires a transaction. */
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
 * Locks a route and returns its version, which changes with every change of the route, or null if it does not exist. Also
 * locks an id that does not exist yet, so that one of two concurrent creations sees the other. Requires a transaction.
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

/** Time of the last change in microseconds. */
const routeVersion = `(extract(epoch from updated_at) * 1000000)::bigint::text`

/** Returns false if the route does not exist. */
export async function deleteRoute(database: Queryable, id: string): Promise<boolean> {
  const result = await database.query('delete from routes where id = $1', [id])
  await database.query('delete from route_states where route_id = any($1)', [possibleShareIds(id)])
  return result.rowCount === 1
}

/**
 * Returns the shares whose route exists, each with the share for which its steps can wait: the same one, or the first share of
 * the route if the route now has fewer owners.
 */
export async function findExistingShares(
  database: Queryable,
  shareIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await database.query<{ id: string; owners: number }>({
    name: 'find-existing-routes',
    text: 'select id, owners from routes where id = any($1)',
    values: [[...new Set(shareIds.map(parseShareRoute))]],
  })
  const owners = new Map(found.rows.map((route) => [route.id, route.owners]))
  const existing = shareIds.filter((shareId) => owners.has(parseShareRoute(shareId)))
  return new Map(
    existing.map((shareId) => {
      const routeId = parseShareRoute(shareId)
      return [shareId, parseShareNumber(shareId) <= owners.get(routeId)! ? shareId : routeId]
    }),
  )
}

const columns = `id, channels, protocol, priority, parts_per_second as "partsPerSecond", enabled,
  account_ids as accounts, prefixes, carriers, weight, min_delivery_rate as "minDeliveryRate",
  failover_after_seconds as "failoverAfterSeconds", unknown_policy as "unknownPolicy", owners, traffic`

export async function loadRoutes(
  database: Queryable,
  cipher: FieldCipher = plaintextCipher,
): Promise<Route[]> {
  const result = await database.query<Route>(`select ${columns}, options from routes order by priority, id`)
  return Promise.all(
    result.rows.map(async (row) => ({
      ...row,
      options: await decryptOptions(database, cipher, row.id, row.options),
    })),
  )
}

/** Loads routes with empty options, for readers that do not open links and have no master key. */
export async function loadRouteRules(database: Queryable): Promise<Route[]> {
  const result = await database.query<Route>(
    `select ${columns}, '{}'::jsonb as options from routes order by priority, id`,
  )
  return result.rows
}

/** Returns a version that changes with the routes; a change of number ranges or templates updates all routes as well. */
export async function readRoutesVersion(database: Queryable): Promise<string> {
  const result = await database.query<{ version: string }>({
    name: 'read-routes-version',
    text: `select ${rowVersions} as version from routes`,
  })
  return result.rows[0]!.version
}
