/**
 * Which routes have queues at the broker. A row is written before the queues of a route are declared and removed after
 * they are deleted, so that the queues of a deleted route are found after a restart. Called by the worker role and by
 * dispatch.
 */
import { inTransaction, type Database, type Queryable } from '../platform/database.ts'

/** Call it before declaring the queues. It waits while another process deletes queues of the same routes. */
export async function noteRouteQueues(database: Queryable, routeIds: readonly string[]): Promise<void> {
  await database.query(
    `insert into route_queues (route_id) select id from unnest($1::text[]) as r (id) order by id
     on conflict (route_id) do update set declared_at = now()`,
    [routeIds],
  )
}

export async function findRouteQueues(database: Queryable): Promise<string[]> {
  const found = await database.query<{ routeId: string }>({
    name: 'find-route-queues',
    text: 'select route_id as "routeId" from route_queues',
  })
  return found.rows.map((row) => row.routeId)
}

/**
 * Runs `remove`, which deletes the queues of a deleted route, and forgets them. False when the route exists again. A
 * process that declares the queues meanwhile waits in `noteRouteQueues` until it is done.
 */
export function removeRouteQueues(
  database: Database,
  routeId: string,
  remove: () => Promise<void>,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const locked = await transaction.query(
      `select from route_queues where route_id = $1 and not exists (select from routes where id = $1) for update`,
      [routeId],
    )
    if (locked.rowCount === 0) return false
    await remove()
    await transaction.query('delete from route_queues where route_id = $1', [routeId])
    return true
  })
}
