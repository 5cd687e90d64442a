/** Whether a route is well enough to be given messages, from what its owner last told. Pure. */
import type { Health } from './choose.ts'
import type { Route } from './route.ts'

/** The part of a route's state that decides. */
export interface HealthFigures {
  readonly linked: boolean
  readonly breaker: 'closed' | 'open' | 'half-open'
  /** Of its recent submissions, how many the carrier throttled: 0 to 1. */
  readonly throttledShare: number
  /** Of its recent messages, how many were delivered: 0 to 1; null while too few are known. */
  readonly deliveryRate: number | null
  readonly seenAt: Date
}

/** Owners tell four times a second; after this long there is none. */
export const staleAfterMs = 5_000
export const maxThrottledShare = 0.5

const healthy: Health = { usable: true }

export function healthOf(
  signs: HealthFigures | undefined,
  route: Pick<Route, 'minDeliveryRate'>,
  nowMs: number,
): Health {
  if (signs === undefined || nowMs - signs.seenAt.getTime() > staleAfterMs)
    return bad('is owned by no process')
  if (!signs.linked) return bad('is not linked')
  if (signs.breaker === 'open') return bad('has failed too often and rests')
  if (signs.throttledShare > maxThrottledShare)
    return bad(`is throttled by its carrier (${percent(signs.throttledShare)} of submissions)`)
  const { deliveryRate } = signs
  if (route.minDeliveryRate !== null && deliveryRate !== null && deliveryRate < route.minDeliveryRate)
    return bad(`delivers ${percent(deliveryRate)}, less than ${percent(route.minDeliveryRate)}`)
  if (signs.breaker === 'half-open') return { usable: true, onTrial: true, why: 'is on trial after failures' }
  return healthy
}

function bad(why: string): Health {
  return { usable: false, why }
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`
}
