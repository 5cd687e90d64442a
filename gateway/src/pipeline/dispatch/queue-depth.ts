/**
 * How much of a route's work may be in its queues: a few seconds of its rate, so that no urgent step waits long behind it
 * and the broker never holds a deep backlog, and enough that the carrier's window is never empty. Steps beyond that wait
 * in a table, which costs two more writes and one more read. Pure; called by the route's owner.
 */
import type { Route } from '../../routes/route.ts'

const secondsOfWork = 2
/** Without a rate the gateway itself is the bottleneck, and the writes of a backlog would slow it further in a burst. */
const secondsUnbounded = 4
const minDepth = 20
/** Bounds what an owner holds in memory, however fast its carrier is. */
const maxDepth = 20_000
/** Parts a second assumed of a route without a rate until it has been faster. */
const assumedRate = 2_000

/** Parts per lane. When `rate` is Infinity, `throughput` counts instead. */
export function laneDepth(rate: number, throughput: number): number {
  const work = Number.isFinite(rate)
    ? rate * secondsOfWork
    : Math.max(throughput, assumedRate) * secondsUnbounded
  return Math.min(maxDepth, Math.max(minDepth, work))
}

/** The largest prefetch that AMQP allows. */
const maxPrefetch = 65_535

/**
 * How many jobs a lane's consumer must be able to hold. It must see everything that may be released, or the free capacity
 * would be overestimated; and some more, because other processes learn the capacity late.
 */
export function lanePrefetch({ partsPerSecond }: Pick<Route, 'partsPerSecond'>, window: number): number {
  const depth = partsPerSecond === 0 ? maxDepth : laneDepth(partsPerSecond, 0)
  return Math.min(maxPrefetch, Math.ceil(1.25 * depth) + 2 * window)
}
