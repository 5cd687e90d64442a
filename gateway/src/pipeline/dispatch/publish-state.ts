/**
 * Publishes the state of a route to all processes, which place steps by it: whether it is linked, how much may be released
 * to each lane, its rate, and how its submissions and deliveries are going. Only the route's owner writes it.
 */
import { hostname } from 'node:os'
import type { Lane } from '../../channels/lane.ts'
import type { Database } from '../../platform/database.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { readDeliveryRate } from '../../routes/results.ts'
import { writeRouteState, type RouteState } from '../../routes/states.ts'
import type { AdaptiveRate } from './adaptive-rate.ts'
import type { BacklogReleaser } from '../scheduling/backlog-releaser.ts'

export interface PublishedState extends Pick<RouteState, 'routeId' | 'linked' | 'breaker' | 'deliveryRate'> {
  /** Nothing can be submitted. */
  readonly blocked: boolean
  readonly rate: Pick<AdaptiveRate, 'value' | 'throttledShare'>
  readonly releaser: Pick<BacklogReleaser, 'hasBacklog' | 'inTransit'>
  readonly freeCapacity: (lane: Lane) => number
}

const deliveryRateMinutes = 5
const deliveryRateSample = 50
const thisProcess = `${hostname()}:${process.pid}`

export async function publishState(
  { database, metrics }: { readonly database: Database; readonly metrics: Metrics },
  state: PublishedState,
): Promise<void> {
  const { routeId, linked, breaker, deliveryRate, blocked, rate, releaser } = state
  // New steps queue behind a backlog; without a link nothing is submitted, and steps that wait in the table can be moved.
  const capacity = (lane: Lane): number =>
    blocked || releaser.hasBacklog(lane)
      ? 0
      : Math.max(0, state.freeCapacity(lane) - releaser.inTransit(lane))
  const learned = rate.value
  metrics.routeRate.set({ route: routeId }, Number.isFinite(learned) ? learned : 0)
  await writeRouteState(database, {
    routeId,
    owner: thisProcess,
    linked,
    capacity: { urgent: capacity('urgent'), normal: capacity('normal'), bulk: capacity('bulk') },
    rate: Number.isFinite(learned) ? learned : null,
    breaker,
    throttledShare: rate.throttledShare,
    deliveryRate,
  })
}

/** Null while too few of the route's recent messages have ended. */
export function readRecentDeliveryRate(database: Database, routeId: string): Promise<number | null> {
  return readDeliveryRate(database, routeId, deliveryRateMinutes, deliveryRateSample)
}
