import { setTimeout as delay } from 'node:timers/promises'
import type { Membership } from '../../platform/membership/membership.ts'
import { every } from '../../platform/time/periodic.ts'
import { listShares } from '../../carriers/routes/shares.ts'
import type { RouteTable } from '../../carriers/routes/table.ts'
import { createReleaseStep } from './failed-step-handler.ts'
import { startMovingDisabled } from './move-disabled.ts'
import type { OwnerContext } from './ownership/owner.ts'
import { Ownership } from './ownership/ownership.ts'
import { PartitionOwner } from './ownership/partition.ts'
import { createRelocation } from './ownership/relocation.ts'
import { RouteLoops, type RouteLoopsContext } from './ownership/route-loops.ts'

export interface DispatchServices extends Omit<OwnerContext, 'isEligible' | 'releaseStep'> {
  readonly membership: Membership
}

export interface DispatchOptions {
  readonly credentialsEveryMs?: number
  /** Times at which carriers are queried for missing results. */
  readonly lookups?: NonNullable<RouteLoopsContext['lookups']> & { readonly delaysMs: readonly number[] }
}

/** Interval at which changed secret files are read and failed route starts are retried. */
const defaultCredentialsMs = 5_000

export interface Dispatch {
  /** True if this worker can own partitions and consumes the queues of those it owns. */
  readonly healthy: boolean
  stop(): Promise<void>
}

/**
 * Runs the dispatch stage of a worker: owns some of the partitions, runs their routes, applies changes of the route
 * table without a restart, and moves steps away from disabled routes.
 */
export function startDispatch(
  routes: RouteTable,
  services: DispatchServices,
  options: DispatchOptions = {},
): Dispatch {
  const { broker, topology, membership, metrics, log } = services
  const { lookups } = options
  const ownerContext: OwnerContext = {
    ...services,
    ...(lookups === undefined ? {} : { lookupDelaysMs: lookups.delaysMs }),
    isEligible: () => membership.renewed,
    releaseStep: createReleaseStep({ ...services, publisher: broker.publisher }),
  }
  const loops = new RouteLoops({ ...ownerContext, membership, ...(lookups === undefined ? {} : { lookups }) })
  const running = new Set<PartitionOwner>()
  const context = {
    ...ownerContext,
    loops,
    relocation: createRelocation(ownerContext),
    startTurn: createStartPacer(),
    countPartitions: () => [...running].filter(({ hasRoutes }) => hasRoutes).length,
  }

  function start(partition: number): PartitionOwner {
    const started = new PartitionOwner(partition, routes.value.flatMap(listShares), context)
    running.add(started)
    void started.drained().then(() => running.delete(started))
    return started
  }

  const ownership = new Ownership({
    membership,
    partitions: topology.dispatch.length,
    isBrokerConnected: () => broker.canConsume,
    start,
    metrics,
    log,
  })
  routes.onChange((table) => {
    const shares = table.flatMap(listShares)
    for (const partition of running) partition.update(shares)
  })
  const { credentialsEveryMs = defaultCredentialsMs } = options
  const periodics = [
    startMovingDisabled(routes, context, membership),
    every(credentialsEveryMs, 'reading the secrets of routes', log, () => {
      for (const partition of running) partition.refresh()
      return Promise.resolve()
    }),
  ]
  return {
    get healthy() {
      return ownership.healthy
    },
    async stop() {
      await Promise.all([ownership.stop(), ...periodics.map((periodic) => periodic.stop())])
      await loops.stop()
    },
  }
}

const startsPerTick = 10
const startTickMs = 50

/**
 * Spreads the starts of many routes over time: each call resolves when its caller may start, 200 per second.
 */
function createStartPacer(): () => Promise<void> {
  let next = 0
  return async () => {
    const now = performance.now()
    next = Math.max(next, now - startTickMs) + startTickMs / startsPerTick
    if (next > now) await delay(next - now)
  }
}
