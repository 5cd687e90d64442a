/**
 * The queues as data. Every one is a quorum queue: replicated, flushed before the publisher's confirm. Only
 * features that RabbitMQ 3.10 and 4.x share are used.
 */
export interface QueueSpec {
  readonly name: string
  readonly singleActiveConsumer?: boolean
  /** Where the broker puts what a consumer rejects for good. */
  readonly parkedIn?: string
}

export interface Topology {
  /** What the API accepted, on its way to being recorded. */
  readonly accepted: QueueSpec
  /** What carriers said, on its way to being settled. */
  readonly receipts: QueueSpec
  /** What no stage could process; an operator looks at it. */
  readonly parked: QueueSpec
  /** A route's released messages of one lane. */
  lane(routeId: string, lane: string): QueueSpec
  /** Holds the one baton whose holder owns the route. */
  baton(routeId: string): QueueSpec
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
    baton: (routeId) => ({ name: `${prefix}route.${routeId}.owner`, singleActiveConsumer: true }),
  }
}

export function queueArguments(spec: QueueSpec): Record<string, unknown> {
  return {
    'x-queue-type': 'quorum',
    // RabbitMQ 4 drops a message after 20 redeliveries unless told otherwise; 3.10 has no such limit. A crash
    // loop must never cost a message, so the limit is set where nobody reaches it.
    'x-delivery-limit': 1_000_000,
    ...(spec.parkedIn === undefined
      ? {}
      : { 'x-dead-letter-exchange': '', 'x-dead-letter-routing-key': spec.parkedIn }),
    ...(spec.singleActiveConsumer === true ? { 'x-single-active-consumer': true } : {}),
  }
}
