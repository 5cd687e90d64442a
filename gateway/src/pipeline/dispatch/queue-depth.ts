/**
 * How much of a route's work may be in its queues: a few seconds of its rate, so that no urgent step waits long behind it
 * and the broker never holds a deep backlog, and enough that the carrier's window is never empty. Steps beyond that wait
 * in a table, which costs two more writes and one more read. Pure; called by the route's owner.
 */

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

/**
 * Groups of jobs that the owner of a partition holds: the largest prefetch that AMQP allows. RabbitMQ takes "unlimited" as
 * 2,000 for quorum queues.
 */
export const partitionPrefetch = 65_535
/** Of the prefetch; the rest is for processes that learn late that a lane is full. */
const releasable = 60_000

/**
 * Parts per lane that each route of a partition allows at most. All of them together must fit into the prefetch: the
 * steps of a route that cannot send would otherwise hold up the other routes of the partition.
 */
export function maxLaneDepth(routesInPartition: number): number {
  const share = Math.floor(releasable / (3 * Math.max(1, routesInPartition)))
  return Math.min(maxDepth, Math.max(minDepth, share))
}
