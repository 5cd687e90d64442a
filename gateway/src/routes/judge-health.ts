/** Decides whether a route may be given messages, from the state that its owner last published. Pure. */
import type { Health } from './choose.ts'
import type { Route } from './route.ts'

/** The part of a route's state that the decision needs. */
export interface HealthFigures {
  readonly linked: boolean
  readonly breaker: 'closed' | 'open' | 'half-open'
  /** Share of recent submissions that the carrier throttled, 0 to 1. */
  readonly throttledShare: number
  /** Share of recent messages that were delivered, 0 to 1; null while too few results are known. */
  readonly deliveryRate: number | null
  readonly seenAt: Date
}

/** A process that owns routes says every second that it is alive; after this long its routes have no owner. */
export const staleAfterMs = 5_000
export const maxThrottledShare = 0.5

/** The reason of a route whose owner cannot connect. */
export const notLinked = 'is not linked'

const healthy: Health = { usable: true }

export function healthOf(
  state: HealthFigures | undefined,
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

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`
}
