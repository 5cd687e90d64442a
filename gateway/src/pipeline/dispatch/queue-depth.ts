/**
 * How much of a route's work may be in its queues: a few seconds of its rate, so that no urgent step waits long behind it
 * and the broker never holds a deep backlog, and enough that the carrier's window is never empty. Steps beyond that wait
 * in a table, which costs two more writes and one more read.
 */

const secondsOfWork = 2
/** Without a rate the gateway itself is the bottleneck, and the writes of a backlog would slow it further in a burst. */
const secondsUnbounded = 4
const minDepth = 20
/** Bounds what an owner holds in memory, however fast its carrier is. */
const maxDepth = 20_000
/** Parts per second assumed of a route without a rate until it has been faster. */
const assumedRate = 2_000

/** Parts per lane. When `rate` is Infinity, `throughput` counts instead. */
export function laneDepth(rate: number, throughput: number): number {
  const work = Number.isFinite(rate)
    ? rate * secondsOfWork
    : Math.max(throughput, assumedRate) * secondsUnbounded
  return Math.min(maxDepth, Math.max(minDepth, work))
}

/** Broker messages that one process holds, over all its partitions. Bounds its memory when other workers fail. */
const maxHeld = 200_000
/** The largest prefetch of AMQP. RabbitMQ takes "unlimited" as 2,000 for quorum queues. */
const maxPrefetch = 65_535
/** The part of the prefetch that routes may fill; the rest is for processes that detect late that a lane is full. */
const releasable = 0.9

/** Broker messages that each partition holds at most. `partitions`: those of this process that have routes. */
export function partitionPrefetch(partitions: number): number {
  return Math.min(maxPrefetch, Math.floor(maxHeld / Math.max(1, partitions)))
}

/**
 * Parts per lane that each route of a partition allows at most. All of them together must fit into the prefetch: the
 * steps of a route that cannot send would otherwise hold up the other routes of the partition.
 */
export function maxLaneDepth(routesInPartition: number, prefetch: number): number {
  const share = Math.floor((prefetch * releasable) / (3 * Math.max(1, routesInPartition)))
  return Math.min(maxDepth, Math.max(minDepth, share))
}
