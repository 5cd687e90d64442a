/**
 * Consumes job groups. A delivery is acknowledged only after its handler resolves. If the handler rejects with a transient
 * error, or at shutdown, the group is requeued; after any other error the broker parks it, because a repetition would fail
 * again and hold one of the prefetch slots without end. A queue without a parking queue requeues it in both cases. A
 * handler that waits for an engine for longer than the broker allows is asked to give its delivery back. The consumer
 * subscribes again automatically after a lost connection, a broker restart or a change of the queue leader.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { ConsumerStatus, type Connection } from 'rabbitmq-client'
import type { Log } from '../log.ts'
import { isTransient } from '../transient.ts'
import { queueArguments, type QueueSpec } from './queue-spec.ts'

const requeueMs = 1_000
/** The broker closes a channel that holds a delivery for 30 minutes (`consumer_timeout`), and with it all its deliveries. */
const defaultMaxHeldMs = 10 * 60_000

export interface ConsumeOptions {
  /** Maximum number of unacknowledged groups. */
  readonly prefetch: number
  /** After this long the `signal` of a delivery is aborted. Tests set it lower. */
  readonly maxHeldMs?: number
  /** Handles a message that is not JSON. Without it the message is rejected and the broker parks it. */
  readonly onUnreadable?: (body: Buffer, rejectedBy: string | undefined) => Promise<void>
}

export interface Delivery {
  readonly jobs: unknown[]
  /** True when it was delivered before without being acknowledged: another process may have started the work. */
  readonly redelivered: boolean
  /** The queue that the broker dead-lettered it from, if any. */
  readonly rejectedBy?: string
  /**
   * Aborted when the consumer stops, or when the delivery has been held for so long that the broker would close its channel. A
   * handler that repeats its work rejects then, and the group returns to the queue.
   */
  readonly signal: AbortSignal
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
  const held = new HeldDeliveries(options.maxHeldMs ?? defaultMaxHeldMs)
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
      const delivery = held.enter()
      try {
        if (jobs === undefined) await options.onUnreadable?.(message.body as Buffer, from.rejectedBy)
        else await handler({ jobs, redelivered: message.redelivered, signal: delivery.signal, ...from })
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
      } finally {
        held.leave(delivery)
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
    async stop() {
      stopping.abort()
      held.stop()
      try {
        await consumer.close()
      } catch (error) {
        // The connection was lost meanwhile: the broker has taken the deliveries back.
        log.debug(
          { err: error as Error, queue: queue.name },
          'the connection was lost while a consumer stopped',
        )
      }
    },
  }
}

/** Aborts deliveries that are held for too long, and all of them at the end. One timer for all deliveries of a consumer. */
class HeldDeliveries {
  readonly #since = new Map<AbortController, number>()
  readonly #timer: NodeJS.Timeout
  #stopped = false

  constructor(maxHeldMs: number) {
    this.#timer = setInterval(() => {
      const before = performance.now() - maxHeldMs
      for (const [delivery, since] of this.#since)
        if (since < before) delivery.abort(new Error('the delivery was held for too long'))
    }, maxHeldMs / 10).unref()
  }

  enter(): AbortController {
    const delivery = new AbortController()
    this.#since.set(delivery, performance.now())
    // The broker may deliver until it has processed the cancellation.
    if (this.#stopped) delivery.abort(stopped())
    return delivery
  }

  leave(delivery: AbortController): void {
    this.#since.delete(delivery)
  }

  stop(): void {
    this.#stopped = true
    clearInterval(this.#timer)
    for (const delivery of this.#since.keys()) delivery.abort(stopped())
  }
}

const stopped = (): Error => new Error('the consumer is stopping')

/** Undefined when the body is not JSON. */
function parse(body: Buffer): unknown[] | undefined {
  try {
    const jobs: unknown = JSON.parse(body.toString())
    return Array.isArray(jobs) ? (jobs as unknown[]) : [jobs]
  } catch {
    return undefined
  }
}
