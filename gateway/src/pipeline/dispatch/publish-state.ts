/**
 * What the owner of a route tells everybody of it: whether it is linked, how much may be released to each lane, at
 * what pace it is sent, and how its submissions and deliveries fare. Written only by the route's owner.
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
  readonly stuck: boolean
  readonly rate: Pick<AdaptiveRate, 'value' | 'throttledShare'>
  readonly releaser: Pick<BacklogReleaser, 'hasBacklog' | 'onTheWay'>
  readonly roomIn: (lane: Lane) => number
}

const deliveryRateMinutes = 5
const deliveryRateSample = 50
const thisProcess = `${hostname()}:${process.pid}`

export async function publishState(
  { database, metrics }: { readonly database: Database; readonly metrics: Metrics },
  told: PublishedState,
): Promise<void> {
  const { routeId, linked, breaker, deliveryRate, stuck, rate, releaser } = told
  // Behind a backlog everybody takes turns; without a link nothing moves, and the record is the better place to wait.
  const room = (lane: Lane): number =>
    stuck || releaser.hasBacklog(lane) ? 0 : Math.max(0, told.roomIn(lane) - releaser.onTheWay(lane))
  const learned = rate.value
  metrics.routeRate.set({ route: routeId }, Number.isFinite(learned) ? learned : 0)
  await writeRouteState(database, {
    routeId,
    owner: thisProcess,
    linked,
    room: { urgent: room('urgent'), normal: room('normal'), bulk: room('bulk') },
    rate: Number.isFinite(learned) ? learned : null,
    breaker,
    throttledShare: rate.throttledShare,
    deliveryRate,
  })
}

/** Null while too few of its recent messages have ended. */
export function readRecentDeliveryRate(database: Database, routeId: string): Promise<number | null> {
  return readDeliveryRate(database, routeId, deliveryRateMinutes, deliveryRateSample)
}
