/**
 * Runs the dispatch stage of a worker: owns its share of the partitions of the routes, runs their routes and applies
 * changes of the route table without a restart. Moves steps away from routes that are disabled.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Membership } from '../../platform/membership/membership.ts'
import { every } from '../../platform/periodic.ts'
import { sharesOf } from '../../routes/shares.ts'
import type { RouteTable } from '../../routes/table.ts'
import { createReleaseStep } from './disposition.ts'
import { startMovingDisabled } from './move-disabled.ts'
import type { OwnerContext } from './owner.ts'
import { Ownership } from './ownership.ts'
import { PartitionOwner } from './partition.ts'
import { createRelocation } from './relocation.ts'
import { RouteLoops, type RouteLoopsContext } from './route-loops.ts'

export interface DispatchServices extends Omit<OwnerContext, 'isEligible' | 'releaseStep'> {
  readonly membership: Membership
}

export interface DispatchOptions {
  readonly credentialsEveryMs?: number
  /** The times at which carriers are asked for results that are missing. */
  readonly lookups?: NonNullable<RouteLoopsContext['lookups']> & { readonly delaysMs: readonly number[] }
}

/** How soon a secret that was changed in its file is used, and a route that could not be started is tried again. */
const defaultCredentialsMs = 5_000

export interface Dispatch {
  /** This worker can own partitions, and consumes the queues of those it owns. */
  readonly healthy: boolean
  stop(): Promise<void>
}

export function startDispatch(
  routes: RouteTable,
  services: DispatchServices,
  options: DispatchOptions = {},
): Dispatch {
  const { broker, topology, membership, metrics, log } = services
  const { lookups } = options
  const owner: OwnerContext = {
    ...services,
    ...(lookups === undefined ? {} : { lookupDelaysMs: lookups.delaysMs }),
    isEligible: () => membership.renewed,
    releaseStep: createReleaseStep({ ...services, publisher: broker.publisher }),
  }
  const loops = new RouteLoops({ ...owner, membership, ...(lookups === undefined ? {} : { lookups }) })
  const running = new Set<PartitionOwner>()
  const context = {
    ...owner,
    loops,
    relocation: createRelocation(owner),
    startTurn: createStartPacer(),
    countPartitions: () => [...running].filter(({ hasRoutes }) => hasRoutes).length,
  }

  function start(partition: number): PartitionOwner {
    const started = new PartitionOwner(partition, routes.value.flatMap(sharesOf), context)
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
    const shares = table.flatMap(sharesOf)
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

/** Spreads the starts of many routes over time: each call resolves when its caller may start, 200 per second. */
function createStartPacer(): () => Promise<void> {
  let next = 0
  return async () => {
    const now = performance.now()
    next = Math.max(next, now - startTickMs) + startTickMs / startsPerTick
    if (next > now) await delay(next - now)
  }
}
