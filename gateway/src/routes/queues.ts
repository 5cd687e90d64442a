/**
 * Routes that had queues of their own in previous versions. A row is removed after these queues are empty and deleted, so
 * that a process that starts finds the rest. Called by dispatch.
 */
import { inTransaction, type Database, type Queryable } from '../platform/database.ts'

export async function findRouteQueues(database: Queryable): Promise<string[]> {
  const found = await database.query<{ routeId: string }>({
    name: 'find-route-queues',
    text: 'select route_id as "routeId" from route_queues',
  })
  return found.rows.map((row) => row.routeId)
}

/** Runs `remove`, which deletes the queues, and forgets them. A worker of the previous version that declares them waits. */
export function removeRouteQueues(
  database: Database,
  routeId: string,
  remove: () => Promise<void>,
): Promise<void> {
  return inTransaction(database, async (transaction) => {
    await transaction.query('select from route_queues where route_id = $1 for update', [routeId])
    await remove()
    await transaction.query('delete from route_queues where route_id = $1', [routeId])
  })
}
