/**
 * Consuming job groups. A delivery is acknowledged when its handler resolves, and only then; a handler that
 * cannot finish (shutdown) rejects and the group goes back to its queue. The consumer comes back by itself
 * after a lost connection, a broker restart or a moved queue leader.
 */
import type { Connection } from 'rabbitmq-client'
import type { Log } from '../log.ts'
import { queueArguments, type QueueSpec } from './topology.ts'

export interface ConsumeOptions {
  /** Unacknowledged groups the broker may hand us. */
  readonly prefetch: number
}

export interface Delivery {
  readonly jobs: unknown[]
  /** True when it was delivered before and not acknowledged: somebody may have begun the work. */
  readonly redelivered: boolean
}

export type DeliveryHandler = (delivery: Delivery) => Promise<void>

export interface Consumption {
  /** Subscribed at the broker right now. */
  readonly active: boolean
  /** Takes no more deliveries, waits for those in hand. */
  stop(): Promise<void>
}

export function startConsumer(
  connection: Connection,
  queue: QueueSpec,
  options: ConsumeOptions,
  handler: DeliveryHandler,
  log: Log,
): Consumption {
  let subscribed = false
  const consumer = connection.createConsumer(
    {
      queue: queue.name,
      queueOptions: { durable: true, arguments: queueArguments(queue) },
      qos: { prefetchCount: options.prefetch },
    },
    async (message) => {
      const jobs: unknown = JSON.parse((message.body as Buffer).toString())
      await handler({ jobs: Array.isArray(jobs) ? jobs : [jobs], redelivered: message.redelivered })
    },
  )
  consumer.on('ready', () => {
    subscribed = true
    log.debug({ queue: queue.name }, 'consuming')
  })
  consumer.on('error', (error) => {
    log.warn({ err: error as Error, queue: queue.name }, 'consumer error')
  })
  connection.on('error', () => {
    subscribed = false
  })
  return {
    get active() {
      return subscribed && connection.ready
    },
    stop: () => consumer.close(),
  }
}
