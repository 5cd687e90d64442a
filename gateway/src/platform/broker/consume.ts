/**
 * Consumes job groups. A delivery is acknowledged only after its handler resolves. If the handler rejects with a transient
 * error, or at shutdown, the group is requeued; after any other error the broker parks it, because a repetition would fail
 * again and hold one of the prefetch slots without end. A queue without a parking queue requeues it in both cases. The consumer subscribes again automatically after a lost connection, a broker restart or
 * a change of the queue leader.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { ConsumerStatus, type Connection } from 'rabbitmq-client'
import type { Log } from '../log.ts'
import { isTransient } from '../transient.ts'
import { queueArguments, type QueueSpec } from './queue-spec.ts'

const requeueMs = 1_000

export interface ConsumeOptions {
  /** Maximum number of unacknowledged groups. */
  readonly prefetch: number
  /** Handles a message that is not JSON. Without it the message is rejected and the broker parks it. */
  readonly onUnreadable?: (body: Buffer, rejectedBy: string | undefined) => Promise<void>
}

export interface Delivery {
  readonly jobs: unknown[]
  /** True when it was delivered before without being acknowledged: another process may have started the work. */
  readonly redelivered: boolean
  /** The queue that the broker dead-lettered it from, if any. */
  readonly rejectedBy?: string
}

export type DeliveryHandler = (delivery: Delivery) => Promise<void>

export interface Consumption {
  /** True while subscribed at the broker. */
  readonly active: boolean
  /** Takes no further deliveries and waits for the current ones. */
  stop(): Promise<void>
}

export function startConsumer(
  connection: Connection,
  queue: QueueSpec,
  options: ConsumeOptions,
  handler: DeliveryHandler,
  log: Log,
): Consumption {
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
        log.error({ queue: queue.name }, 'parked a message that is not JSON; see postern parked list')
        return ConsumerStatus.DROP
      }
      try {
        if (jobs === undefined) await options.onUnreadable?.(message.body as Buffer, from.rejectedBy)
        else await handler({ jobs, redelivered: message.redelivered, ...from })
        return ConsumerStatus.ACK
      } catch (error) {
        const mayPark = queue.parkedIn !== undefined && !stopping.signal.aborted
        if (mayPark && !isTransient(error)) {
          log.error(
            { queue: queue.name, err: error as Error },
            'parked a group of jobs whose handler failed; see postern parked list, correct the cause, then retry or drop them',
          )
          return ConsumerStatus.DROP
        }
        // The group is requeued and redelivered at once: without a pause this would be a busy loop.
        if (!stopping.signal.aborted)
          await delay(requeueMs, undefined, { signal: stopping.signal }).catch(() => undefined)
        throw error
      }
    },
  )
  consumer.on('ready', () => log.debug({ queue: queue.name }, 'consuming'))
  consumer.on('error', (error) => {
    log.warn({ err: error as Error, queue: queue.name }, 'consumer error; subscribing again')
  })
  return {
    get active() {
      // The library clears the tag when the channel or the connection is lost. No listener on the connection, because
      // it outlives the consumer.
      return consumer.consumerTag !== '' && connection.ready
    },
    stop() {
      stopping.abort()
      return consumer.close()
    },
  }
}

/** Undefined when the body is not JSON. */
function parse(body: Buffer): unknown[] | undefined {
  try {
    const jobs: unknown = JSON.parse(body.toString())
    return Array.isArray(jobs) ? (jobs as unknown[]) : [jobs]
  } catch {
    return undefined
  }
}
