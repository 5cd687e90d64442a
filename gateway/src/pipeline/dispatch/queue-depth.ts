/**
 * How much of a route's work may be in its queue: a few seconds of its rate, so that nothing urgent waits long behind
 * it and the broker never carries a deep backlog, and enough that the carrier's window never runs dry. What finds no
 * room waits in the record, which costs two writes and a read more.
 */
import type { Route } from '../../routes/route.ts'

const secondsOfWork = 2
/** Without a rate this machine sets the pace, and is the last to be burdened with more writing in a burst. */
const secondsUnbounded = 4
const least = 20
/** Bounds what an owner holds in memory, however fast its carrier is. */
const most = 20_000
/** Parts a second that a route without a rate is trusted with before it has shown more. */
const trusted = 2_000

/** Parts per lane. `rate` may be Infinity: `throughput` tells the pace then. */
export function laneDepth(rate: number, throughput: number): number {
  const work = Number.isFinite(rate) ? rate * secondsOfWork : Math.max(throughput, trusted) * secondsUnbounded
  return Math.min(most, Math.max(least, work))
}

/** What a broker can be asked for. */
const maxPrefetch = 65_535

/**
 * How many jobs a lane's consumer must be able to have in hand. All of what may be released must be in sight, or the
 * room would be thought larger than it is; and some more, because room is known late.
 */
export function lanePrefetch({ partsPerSecond }: Pick<Route, 'partsPerSecond'>, window: number): number {
  const room = partsPerSecond === 0 ? most : laneDepth(partsPerSecond, 0)
  return Math.min(maxPrefetch, Math.ceil(1.25 * room) + 2 * window)
}
