import type { Lane } from '../../../channels/lane.ts'
import type { CurrentState } from '../../../carriers/routes/state-publisher.ts'
import type { BacklogReleaser } from '../../scheduling/backlog-releaser.ts'
import type { AdaptiveRate } from '../rate/adaptive-rate.ts'

export interface StateOrigin extends Pick<
  CurrentState,
  'routeId' | 'owners' | 'linked' | 'linkReason' | 'breaker' | 'deliveryRate'
> {
  /** True if nothing can be submitted. */
  readonly blocked: boolean
  readonly rate: Pick<AdaptiveRate, 'value' | 'throttledShare' | 'throughput'>
  readonly releaser: Pick<BacklogReleaser, 'hasBacklog' | 'inTransit' | 'received'>
  readonly freeCapacity: (lane: Lane) => number
  /** Steps received in the last second. */
  readonly arrivals: number
  /** Parts that wait in memory. */
  readonly queued: number
}

/** Returns the state of a route as its owner publishes it. */
export function describeState(origin: StateOrigin): CurrentState {
  const {
    routeId,
    owners,
    linked,
    linkReason = null,
    breaker,
    deliveryRate,
    blocked,
    rate,
    releaser,
  } = origin
  // New steps queue behind a backlog. Without a link nothing is submitted, and steps in the waiting table can
  // be moved.
  const capacity = (lane: Lane): number =>
    blocked || releaser.hasBacklog(lane)
      ? 0
      : Math.max(0, Math.floor(origin.freeCapacity(lane) - releaser.inTransit(lane)))
  const limit = rate.value
  return {
    routeId,
    owners,
    linked,
    linkReason: linked ? null : linkReason,
    capacity: { urgent: capacity('urgent'), normal: capacity('normal'), bulk: capacity('bulk') },
    rate: Number.isFinite(limit) ? limit : null,
    breaker,
    throttledShare: rate.throttledShare,
    deliveryRate,
    arrivals: tenths(origin.arrivals),
    submitted: tenths(rate.throughput),
    queued: origin.queued,
    received: releaser.received,
  }
}

/**
 * Rounds to tenths, so an idle or steady route is not written again because the throughput is never measured over
 * exactly a second.
 */
function tenths(perSecond: number): number {
  return Math.round(perSecond * 10) / 10
}
