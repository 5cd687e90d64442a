/** The queues between the stages, as data. */
import type { QueueSpec } from '../platform/broker/queue-spec.ts'

export interface Topology {
  /** What the API accepted, on its way to being recorded. */
  readonly accepted: QueueSpec
  /** What carriers said, on its way to being settled. */
  readonly receipts: QueueSpec
  /** What no stage could process; an operator looks at it. */
  readonly parked: QueueSpec
  /** A route's released messages of one lane. */
  lane(routeId: string, lane: string): QueueSpec
  /** Holds the one leadership whose holder owns the route. */
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
