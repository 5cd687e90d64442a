import { lanes } from '../../../channels/lane.ts'

const secondsOfWork = 2
/**
 * Without a rate the gateway itself is the bottleneck, and writing a backlog would slow it down further in a
 * burst.
 */
const secondsUnbounded = 4
const minDepth = 20
/** Limits the memory of an owner, however fast its carrier is. */
const maxDepth = 20_000
/** Parts per second assumed of a route without a rate until it has been faster. */
const assumedRate = 2_000

/**
 * Returns how many parts of each lane may be in a route's queue: a few seconds of its rate. That is little enough that no
 * urgent step waits long and the broker holds no deep backlog, and enough to keep the carrier's window full. Steps beyond
 * that wait in a table, which costs two more writes and one more read. If `rate` is Infinity, `throughput` counts instead.
 */
export function laneDepth(rate: number, throughput: number): number {
  const work = Number.isFinite(rate)
    ? rate * secondsOfWork
    : Math.max(throughput, assumedRate) * secondsUnbounded
  return Math.min(maxDepth, Math.max(minDepth, work))
}

/**
 * Maximum broker messages that one process holds over all its partitions; limits its memory when other
 * workers fail.
 */
const maxHeld = 200_000
/** Maximum prefetch of AMQP. RabbitMQ treats "unlimited" as 2,000 for quorum queues. */
const maxPrefetch = 65_535
/** Fraction of the prefetch that routes may fill; the rest is for processes that detect late that a lane is full. */
const releasable = 0.9

/**
 * Returns the maximum broker messages that each partition holds; `partitions` is the number of those with
 * routes in this process.
 */
export function partitionPrefetch(partitions: number): number {
  return Math.min(maxPrefetch, Math.floor(maxHeld / Math.max(1, partitions)))
}

/**
 * Returns the maximum parts per lane that each route of a partition allows. All of them together must fit
 * into the prefetch; otherwise the steps of a route that cannot send would block the other routes of the
 * partition.
 */
export function maxLaneDepth(routesInPartition: number, prefetch: number): number {
  const depth = Math.floor((prefetch * releasable) / (lanes.length * Math.max(1, routesInPartition)))
  return Math.min(maxDepth, Math.max(minDepth, depth))
}
