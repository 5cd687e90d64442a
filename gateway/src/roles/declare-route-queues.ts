/**
 * Declares the queues of every route, and of each route that is added later: steps may be released to a route before it
 * has an owner. A declaration that fails is repeated until it succeeds, even when the route is deleted meanwhile: its owner
 * may have declared queues, and they are found again only by their row in `route_queues`. Called by the worker role.
 */
import { lanes } from '../channels/lane.ts'
import type { Topology } from '../jobs/queues.ts'
import type { Broker } from '../platform/broker/broker.ts'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { retryTransient } from '../platform/retry.ts'
import { noteRouteQueues } from '../routes/queues.ts'
import type { RouteTable } from '../routes/table.ts'

export interface DeclareContext {
  readonly database: Database
  readonly broker: Pick<Broker, 'declare'>
  readonly topology: Topology
  readonly log: Log
  /** Ends the retries. */
  readonly signal: AbortSignal
}

/** Resolves when the queues of the routes that are loaded now are declared. */
export async function declareRouteQueues(
  routes: Pick<RouteTable, 'value' | 'onChange'>,
  context: DeclareContext,
): Promise<void> {
  const { database, broker, topology, log, signal } = context
  const undeclared = new Set(routes.value.map(({ id }) => id))

  async function declare(): Promise<void> {
    const ids = [...undeclared]
    await noteRouteQueues(database, ids)
    const existing = new Set(routes.value.map(({ id }) => id))
    const declarable = ids.filter((id) => existing.has(id))
    await broker.declare(declarable.flatMap((id) => lanes.map((lane) => topology.lane(id, lane))))
    for (const id of ids) undeclared.delete(id)
  }
  const declareWithRetries = (): Promise<void> =>
    retryTransient(declare, { what: 'declaring the queues of the routes', log, signal })

  await declareWithRetries()
  let declaring = Promise.resolve()
  routes.onChange((table) => {
    for (const { id } of table) undeclared.add(id)
    declaring = declaring.then(declareWithRetries).catch((error: unknown) => {
      if (!signal.aborted) log.error({ err: error as Error }, failed)
    })
  })
}

const failed =
  'cannot declare the queues of the routes; steps of a new route wait until its owner declares them. Restart the worker when the cause is corrected'
