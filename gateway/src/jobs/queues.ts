/** Names and settings of the queues between the stages. Roles declare them; stages publish to them and consume them. */
import { lanes, type Lane } from '../channels/lane.ts'
import type { QueueSpec } from '../platform/broker/queue-spec.ts'

export interface Topology {
  /** Accepted messages by the lane of their first step, from accept to intake. */
  readonly accepted: Readonly<Record<Lane, QueueSpec>>
  /** Receipts and verdicts, from receipts, intake and dispatch to settle. */
  readonly receipts: QueueSpec
  /** Jobs that no stage could process; an operator decides about them. */
  readonly parked: QueueSpec
  /** Steps released to one lane of a route. */
  lane(routeId: string, lane: string): QueueSpec
  /** The leadership of a route: its holder owns the route. */
  owner(routeId: string): QueueSpec
}

/** The queues that exist whatever the routes are. */
export function fixedQueues({ accepted, receipts, parked }: Topology): QueueSpec[] {
  return [...lanes.map((lane) => accepted[lane]), receipts, parked]
}

export function createTopology(prefix: string): Topology {
  const parkedIn = `${prefix}parked`
  return {
    accepted: {
      urgent: { name: `${prefix}accepted.urgent`, parkedIn },
      normal: { name: `${prefix}accepted`, parkedIn },
      bulk: { name: `${prefix}accepted.bulk`, parkedIn },
    },
    receipts: { name: `${prefix}receipts`, parkedIn },
    parked: { name: parkedIn },
    lane: (routeId, lane) => ({
      name: `${prefix}route.${routeId}.${lane}`,
      singleActiveConsumer: true,
      parkedIn,
    }),
    owner: (routeId) => ({ name: `${prefix}route.${routeId}.owner`, singleActiveConsumer: true }),
  }
}
