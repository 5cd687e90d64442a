/** Decides whether a route accepts messages, from the state that its owner last published. */
import type { Health } from './choose.ts'
import type { Route } from './route.ts'

/** The part of a route's state that determines its health. */
export interface HealthInput {
  readonly linked: boolean
  readonly breaker: 'closed' | 'open' | 'half-open'
  /** Fraction of recent submissions that the carrier throttled. */
  readonly throttledShare: number
  /** Fraction of recent messages that were delivered; null while too few results are known. */
  readonly deliveryRate: number | null
  readonly seenAt: Date
}

/** Owners renew their membership every second; after this time without renewal a route has no owner. */
export const staleAfterMs = 5_000
export const maxThrottledShare = 0.5

/** Reason of a route whose owner cannot connect. */
export const notLinked = 'is not linked'

const healthy: Health = { usable: true }

export function computeRouteHealth(
  state: HealthInput | undefined,
  route: Pick<Route, 'minDeliveryRate'> & Partial<Pick<Route, 'traffic'>>,
  nowMs: number,
): Health {
  if (state === undefined || nowMs - state.seenAt.getTime() > staleAfterMs)
    return unusable('is owned by no process')
  if (!state.linked) return unusable(notLinked)
  if (route.traffic === 'draining') return unusable('is draining')
  if (route.traffic === 'paused') return unusable('is paused by an operator')
  if (state.breaker === 'open') return unusable('is paused by its circuit breaker after failures')
  if (state.throttledShare > maxThrottledShare)
    return unusable(`is throttled by its carrier (${percent(state.throttledShare)} of submissions)`)
  const { deliveryRate } = state
  if (route.minDeliveryRate !== null && deliveryRate !== null && deliveryRate < route.minDeliveryRate)
    return unusable(`delivers ${percent(deliveryRate)}, less than ${percent(route.minDeliveryRate)}`)
  if (state.breaker === 'half-open')
    return { usable: true, onTrial: true, reason: 'is on trial after failures' }
  return healthy
}

function unusable(reason: string): Health {
  return { usable: false, reason }
}

function percent(fraction: number): string {
  return `${Math.round(fraction * 1000) / 10} %`
}
