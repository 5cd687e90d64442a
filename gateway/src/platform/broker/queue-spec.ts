/**
 * The declaration of a queue with jobs. Each is a quorum queue: replicated, and flushed to disk before the publisher
 * confirm. Only features that both RabbitMQ 3.10 and 4.x have are used.
 */
export interface QueueSpec {
  readonly name: string
  readonly singleActiveConsumer?: boolean
  /** The queue to which the consumer publishes messages that it cannot process. */
  readonly parkedIn?: string
}

export function queueArguments(spec: QueueSpec): Record<string, unknown> {
  return {
    'x-queue-type': 'quorum',
    // RabbitMQ 4 drops a message after 20 redeliveries by default; 3.10 has no such limit. A crash loop must never lose
    // a message, so the limit is set out of reach.
    'x-delivery-limit': 1_000_000_000,
    ...(spec.singleActiveConsumer === true ? { 'x-single-active-consumer': true } : {}),
  }
}
