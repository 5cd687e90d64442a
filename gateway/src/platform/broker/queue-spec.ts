/**
 * A queue as data. Every one is a quorum queue: replicated, flushed before the publisher's confirm. Only features that
 * RabbitMQ 3.10 and 4.x share are used.
 */
export interface QueueSpec {
  readonly name: string
  readonly singleActiveConsumer?: boolean
  /** Where the broker puts what a consumer rejects for good. */
  readonly parkedIn?: string
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
