/** Names and settings of the queues between the stages. Roles declare them; stages publish to them and consume them. */
import { lanes, type Lane } from '../channels/lane.ts'
import type { QueueSpec } from '../platform/broker/queue-spec.ts'
import { hashText, mix } from '../platform/hash.ts'
import { parseShareNumber, parseShareRoute } from './route-share.ts'

export interface Topology {
  /** Accepted messages by the lane of their first step, from accept to intake. */
  readonly accepted: Readonly<Record<Lane, QueueSpec>>
  /** Receipts of carriers, from receipts to settle. */
  readonly receipts: QueueSpec
  /**
   * Verdicts and responses, from scheduling, dispatch and `parked drop` to settle. They are separate, so that a
   * fallback starts while many receipts wait.
   */
  readonly verdicts: QueueSpec
  /**
   * Opt-outs and opt-ins, by reply or reported by carriers, from receipts to the suppression lists. One process
   * at a time keeps their order.
   */
  readonly optOuts: QueueSpec
  /** Jobs that no stage could process; an operator decides about them. */
  readonly parked: QueueSpec
  /** Released steps, one queue per partition of the routes. One process at a time owns a partition. */
  readonly dispatch: readonly QueueSpec[]
  /** Returns the partition of a route or route share, an index of `dispatch`. */
  getPartition(shareId: string): number
  /** Returns the queue of that partition. */
  getQueue(shareId: string): QueueSpec
}

/** Lists every queue of the topology. */
export function fixedQueues(topology: Topology): QueueSpec[] {
  const { accepted, receipts, verdicts, optOuts, parked, dispatch } = topology
  return [...lanes.map((lane) => accepted[lane]), receipts, verdicts, optOuts, parked, ...dispatch]
}

/**
 * Number of partitions. A queue per route and lane would be too expensive for the broker, and jobs spread
 * over so many queues are not grouped. The number is fixed: with another one, steps in the queues would reach
 * the wrong owner.
 */
const defaultPartitions = 32

export function createTopology(prefix: string, partitions = defaultPartitions): Topology {
  const parkedIn = `${prefix}parked`
  const dispatch = Array.from({ length: partitions }, (_, partition) => ({
    name: `${prefix}dispatch.${String(partition).padStart(2, '0')}`,
    singleActiveConsumer: true,
    parkedIn,
  }))
  const partitionOf = (shareId: string): number => {
    const first = mix(hashText(parseShareRoute(shareId))) % partitions
    return (first + Math.floor(spread(parseShareNumber(shareId) - 1) * partitions)) % partitions
  }
  return {
    accepted: {
      urgent: { name: `${prefix}accepted.urgent`, parkedIn },
      normal: { name: `${prefix}accepted`, parkedIn },
      bulk: { name: `${prefix}accepted.bulk`, parkedIn },
    },
    receipts: { name: `${prefix}receipts`, parkedIn },
    verdicts: { name: `${prefix}verdicts`, parkedIn },
    optOuts: { name: `${prefix}opt-outs`, singleActiveConsumer: true, parkedIn },
    parked: { name: parkedIn },
    dispatch,
    getPartition: partitionOf,
    getQueue: (shareId) => dispatch[partitionOf(shareId)]!,
  }
}

/**
 * Returns 0, ½, ¼, ¾, ⅛ …: the positions of a route's shares in the circle of partitions. Two shares are
 * opposite each other, four are a quarter apart, and `assign-partitions.ts` assigns such partitions to
 * different workers.
 */
function spread(index: number): number {
  let [position, step] = [0, 0.5]
  for (let remainder = index; remainder > 0; remainder >>= 1, step /= 2)
    if (remainder % 2 === 1) position += step
  return position
}
