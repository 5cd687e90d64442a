/**
 * Consuming job groups. A delivery is acknowledged when its handler resolves, and only then; a handler that
 * cannot finish (shutdown) rejects and the group goes back to its queue. The consumer comes back by itself
 * after a lost connection, a broker restart or a moved queue leader.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { ConsumerStatus, type Connection } from 'rabbitmq-client'
import type { Log } from '../log.ts'
import { queueArguments, type QueueSpec } from './queue-spec.ts'

const requeueMs = 1_000

export interface ConsumeOptions {
  /** Unacknowledged groups the broker may hand us. */
  readonly prefetch: number
  /** Takes what is no JSON. Without it such a message is rejected, and the broker parks it. */
  readonly onUnreadable?: (body: Buffer, rejectedBy: string | undefined) => Promise<void>
}

export interface Delivery {
  readonly jobs: unknown[]
  /** True when it was delivered before and not acknowledged: somebody may have begun the work. */
  readonly redelivered: boolean
  /** The queue it was rejected from, when the broker has moved it here. */
  readonly rejectedBy?: string
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
  const stopping = new AbortController()
  const consumer = connection.createConsumer(
    {
      queue: queue.name,
      queueOptions: { durable: true, arguments: queueArguments(queue) },
      qos: { prefetchCount: options.prefetch },
    },
    async (message) => {
      const jobs = parse(message.body as Buffer)
      const rejectedBy: unknown = message.headers?.['x-first-death-queue']
      const from = typeof rejectedBy === 'string' ? { rejectedBy } : {}
      if (jobs === undefined && options.onUnreadable === undefined) {
        log.error({ queue: queue.name }, 'a message that is no JSON was parked')
        return ConsumerStatus.DROP
      }
      try {
        if (jobs === undefined) await options.onUnreadable?.(message.body as Buffer, from.rejectedBy)
        else await handler({ jobs, redelivered: message.redelivered, ...from })
        return ConsumerStatus.ACK
      } catch (error) {
        // It goes back to its queue and comes again at once: without a pause that would be a hot loop.
        if (!stopping.signal.aborted)
          await delay(requeueMs, undefined, { signal: stopping.signal }).catch(() => undefined)
        throw error
      }
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
    stop() {
      stopping.abort()
      return consumer.close()
    },
  }
}

/** Undefined when it is no JSON. */
function parse(body: Buffer): unknown[] | undefined {
  try {
    const jobs: unknown = JSON.parse(body.toString())
    return Array.isArray(jobs) ? (jobs as unknown[]) : [jobs]
  } catch {
    return undefined
  }
}
