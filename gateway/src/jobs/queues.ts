/** Names and settings of the queues between the stages. Roles declare them; stages publish to them and consume them. */
import type { QueueSpec } from '../platform/broker/queue-spec.ts'

export interface Topology {
  /** Accepted messages, from accept to intake. */
  readonly accepted: QueueSpec
  /** Receipts and verdicts, from receipts, intake and dispatch to settle. */
  readonly receipts: QueueSpec
  /** Jobs that no stage could process; an operator decides about them. */
  readonly parked: QueueSpec
  /** Steps released to one lane of a route. */
  lane(routeId: string, lane: string): QueueSpec
  /** The leadership of a route: its holder owns the route. */
  owner(routeId: string): QueueSpec
}

export function createTopology(prefix: string): Topology {
  const parkedIn = `${prefix}parked`
  return {
    accepted: { name: `${prefix}accepted`, parkedIn },
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
