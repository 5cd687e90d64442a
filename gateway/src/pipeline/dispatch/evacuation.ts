/**
 * Moves steps away from routes that are disabled or deleted: those in their queues and those that wait for them. One
 * process of all does it, under a lease. The queues of a disabled route stay, and what another process still releases to
 * it is moved too: at once while they are consumed, else when they are looked at next. The queues of a deleted route are
 * deleted when they are empty. A route that is enabled again gets what could not be moved. Called by `startDispatch`.
 */
import { lanes } from '../../channels/lane.ts'
import { Lease } from '../../platform/lease.ts'
import { every, type Periodic } from '../../platform/periodic.ts'
import { findRoutesWithWaiters } from '../../records/waiting/waiting.ts'
import { findRouteQueues, removeRouteQueues } from '../../routes/queues.ts'
import type { RouteTable } from '../../routes/table.ts'
import { MovePass } from '../scheduling/move-pass.ts'
import { moveWaiting } from '../scheduling/move-waiting.ts'
import type { OwnerContext } from './owner.ts'
import { IdleRoutes } from './idle-routes.ts'
import { RouteEvacuator } from './route-evacuator.ts'

export interface EvacuationOptions {
  /** The queues of a deleted route are deleted when no job has arrived for this long. */
  readonly quietMs?: number
  /** The queues of a disabled route are consumed until no job has arrived for this long. */
  readonly idleMs?: number
  /** How often the queues of a disabled route that are not consumed are looked at. */
  readonly lookEveryMs?: number
}

const intervalMs = 1_000
const leaseMs = 6_000
/**
 * Every live process knows within two seconds that a route is deleted, and the broker closes the connection of a process
 * that is stopped for 12 s: after this long nothing is published to the queues any more.
 */
const defaultQuietMs = 30_000
/** Routes whose queues are consumed at a time: three channels each, of the 2,047 of a connection. */
const maxConsumed = 200
/** Steps that no other route serves are looked at again after twice the time, up to this; and when the routes change. */
const maxPauseMs = 30_000

export function startEvacuation(
  routes: RouteTable,
  context: OwnerContext,
  { quietMs = defaultQuietMs, idleMs = 60_000, lookEveryMs = 10_000 }: EvacuationOptions = {},
): Periodic {
  const { database, broker, topology, log } = context
  const lease = new Lease(database, { name: 'evacuation', durationMs: leaseMs })
  const evacuators = new Map<string, RouteEvacuator>()
  const passes = new Map<string, { readonly pass: MovePass; pauseMs: number; pausedUntil: number }>()
  routes.onChange(() => passes.clear())

  const idle = new IdleRoutes(lookEveryMs, async (routeId) => {
    for (const lane of lanes) if ((await broker.depth(topology.lane(routeId, lane))) > 0) return true
    return false
  })

  const exists = (routeId: string): boolean => routes.value.some(({ id }) => id === routeId)

  async function stop(routeId: string): Promise<void> {
    const evacuator = evacuators.get(routeId)
    evacuators.delete(routeId)
    await evacuator?.stop()
  }

  async function round(): Promise<void> {
    const mayWork = context.isEligible() && routes.loaded && (await lease.hold().catch(() => false))
    const enabled = new Set(mayWork ? routes.value.filter((route) => route.enabled).map(({ id }) => id) : [])
    const known = mayWork ? [...(await findRouteQueues(database)), ...routes.value.map(({ id }) => id)] : []
    const leaving = new Set(known.filter((id) => !enabled.has(id)))
    await Promise.all([...evacuators.keys()].filter((id) => !leaving.has(id)).map(stop))
    idle.keep((id) => leaving.has(id) && exists(id))
    for (const id of leaving) {
      if (evacuators.has(id) || idle.has(id)) continue
      if (evacuators.size < maxConsumed) evacuators.set(id, new RouteEvacuator(id, () => exists(id), context))
      else if (exists(id)) idle.add(id)
    }
    // Independently: a route that cannot be moved or removed does not delay the others.
    const results = await Promise.allSettled([
      moveDisabled([...leaving].filter(exists)),
      idle.look(intervalMs),
      ...[...leaving].filter(exists).map(stopIfIdle),
      ...[...leaving].filter((id) => !exists(id)).map(removeIfQuiet),
    ])
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason as Error
  }

  async function stopIfIdle(routeId: string): Promise<void> {
    if ((evacuators.get(routeId)?.quietMs ?? 0) < idleMs) return
    await stop(routeId)
    idle.add(routeId)
  }

  /** The outbox moves what waits for a deleted route. */
  async function moveDisabled(disabled: readonly string[]): Promise<void> {
    if (disabled.length === 0) return
    for (const routeId of await findRoutesWithWaiters(database, disabled)) {
      const state = passes.get(routeId) ?? { pass: new MovePass(), pauseMs: 0, pausedUntil: 0 }
      passes.set(routeId, state)
      if (performance.now() < state.pausedUntil) continue
      const { moved, complete } = await moveWaiting(
        { ...context, publisher: broker.publisher, routeId },
        state.pass,
      )
      if (moved > 0) state.pauseMs = 0
      else if (complete) state.pauseMs = Math.min(maxPauseMs, state.pauseMs * 2 || intervalMs)
      if (complete) state.pausedUntil = performance.now() + state.pauseMs
    }
  }

  async function removeIfQuiet(routeId: string): Promise<void> {
    if ((evacuators.get(routeId)?.quietMs ?? 0) < quietMs) return
    await stop(routeId)
    const removed = await removeRouteQueues(database, routeId, async () => {
      for (const queue of lanes.map((lane) => topology.lane(routeId, lane))) {
        if (!(await broker.isIdle(queue)))
          throw new Error(`queue ${queue.name} is in use; it is not deleted yet`)
        await broker.remove(queue)
      }
      await broker.remove(topology.owner(routeId))
    })
    if (removed) log.info({ route: routeId }, 'the queues of the deleted route were empty and are deleted')
  }

  const rounds = every(intervalMs, 'evacuating disabled and deleted routes', log, round)
  return {
    async stop() {
      await rounds.stop()
      await Promise.all([...evacuators.keys()].map(stop))
      await lease.release().catch((error: unknown) => {
        log.debug({ err: error as Error }, 'cannot give up the lease of the evacuation; it expires')
      })
    },
  }
}
