/**
 * How much of a route's work may be in its queue: a few seconds of its rate, so that nothing urgent waits long behind
 * it and the broker never carries a deep backlog, and enough that the carrier's window never runs dry.
 */
import type { Route } from '../routes/route.ts'

const secondsOfWork = 2
const least = 20
/** Also the bound for a route without a rate, where the window sets the pace. */
const most = 4_000

/** Parts per lane. `rate` may be Infinity. */
export function laneRoom(rate: number, throughput: number): number {
  const running = Number.isFinite(rate) ? rate : Math.max(throughput, most / secondsOfWork)
  return Math.min(most, Math.max(least, running * secondsOfWork))
}

/** The most that `laneRoom` can be for the route. */
export function mostLaneRoom({ partsPerSecond }: Pick<Route, 'partsPerSecond'>): number {
  return partsPerSecond === 0 ? most : Math.min(most, Math.max(least, partsPerSecond * secondsOfWork))
}
