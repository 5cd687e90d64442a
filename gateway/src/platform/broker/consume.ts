/**
 * Consumes job groups. A delivery is acknowledged only after its handler resolves. If the handler rejects with a transient
 * error, or at shutdown, the group is requeued. After any other error it is published to the parked queue and acknowledged
 * after the confirm, because a repetition would fail again and hold one of the prefetch slots. The broker must not
 * dead-letter it: dead-lettering has no confirm and loses the message while the parked queue has no leader. A group that
 * cannot be parked is requeued. A group that crashes its process repeatedly is parked (`redelivery.ts`). The signal of a
 * delivery is aborted before the broker would close the channel because it was held for too long.
 *
 * The consumer subscribes again automatically after a lost connection, a broker restart or a change of the queue leader.
 * It does not wait for handlers then: the broker delivers those groups again, perhaps while their first handlers still run.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { ConsumerStatus, type Connection } from 'rabbitmq-client'
import { clock } from '../time/clock.ts'
import { summarizeError } from '../logging/log-error.ts'
import type { Log } from '../logging/log.ts'
import { ThrottledLog } from '../logging/throttled-log.ts'
import { isTransient } from '../database/transient.ts'
import type { GroupPublisher } from './publish.ts'
import { queueArguments, type QueueSpec } from './queue-spec.ts'
import type { RedeliveryGuard } from './redelivery.ts'

const requeueMs = 1_000
/** A failed delivery still counts as held for this time, until its next consumer counts it. */
const handOverMs = 3_000
/** The same after a lost connection: the broker notices it within three of its heartbeats of 3 s. */
const lostHandOverMs = 10_000
/** Interval at which a consumer checks its subscription. The library reports no event for its loss. */
const checkMs = 250
/** The broker closes a channel that holds a delivery for 30 minutes (`consumer_timeout`), and with it all its deliveries. */
const defaultMaxHeldMs = 10 * 60_000

export interface ConsumeOptions {
  /** Maximum number of unacknowledged groups. */
  readonly prefetch: number
  /** Time after which the `signal` of a delivery is aborted. Tests set it lower. */
  readonly maxHeldMs?: number
  /** Handles a message that is not JSON. Without this handler the message is parked. */
  readonly onUnreadable?: (body: Buffer) => Promise<void>
}

export interface BrokerDelivery {
  readonly jobs: unknown[]
  /**
   * Whether the group was delivered before without being acknowledged: another process may have started the
   * work.
   */
  readonly redelivered: boolean
  /**
   * Aborted when the consumer stops, or before the broker would close the channel because the delivery was
   * held for too long. A handler that retries its work rejects then, and the group returns to the queue. Also
   * aborted, with `SubscriptionLost`, when the broker has taken the group back: the result of the handler is
   * then ignored.
   */
  readonly signal: AbortSignal
}

/**
 * The channel or the connection of a delivery is lost: it cannot be acknowledged, and the broker redelivers
 * it.
 */
export class SubscriptionLost extends Error {
  override readonly name = 'SubscriptionLost'
}

/** The entry that a consumer publishes to the parked queue. */
export interface RejectedMessage {
  /** The queue that the message was consumed from. */
  readonly queue: string
  readonly reason: string
  /** The message body in base64, because it is not always JSON. */
  readonly body: string
}

export type DeliveryHandler = (delivery: BrokerDelivery) => Promise<void>

export interface Consumption {
  /** Whether the consumer is subscribed at the broker. */
  readonly active: boolean
  /** The time when the oldest unacknowledged delivery was published, in milliseconds. */
  readonly oldestPublishedAt: number | undefined
  /** Takes no further deliveries and waits for the current ones. */
  stop(): Promise<void>
}

export function startConsumer(
  connection: Connection,
  publisher: Pick<GroupPublisher, 'send'>,
  queue: QueueSpec,
  options: ConsumeOptions,
  handler: DeliveryHandler,
  guard: Pick<RedeliveryGuard, 'run'>,
  log: Log,
): Consumption {
  const stopping = new AbortController()
  // The library clears the tag when the channel or the connection is lost, and sets it when it has subscribed again. It
  // subscribes only after all handlers have ended.
  const isSubscribed = (): boolean => consumer.consumerTag !== ''
  const heldDeliveries = new HeldDeliveries(options.maxHeldMs ?? defaultMaxHeldMs, isSubscribed)
  const consumer = connection.createConsumer(
    {
      queue: queue.name,
      queueOptions: { durable: true, arguments: queueArguments(queue) },
      qos: { prefetchCount: options.prefetch },
    },
    async (message) => {
      const body = message.body as Buffer
      const delivery = heldDeliveries.enter(
        message.timestamp === undefined ? clock.now() : message.timestamp * 1000,
      )
      try {
        const { signal } = delivery.abort
        const handled = message.redelivered
          ? guard.run(queue, body, signal, () => handle(body, true, signal))
          : handle(body, false, signal)
        await Promise.race([handled, delivery.lost.promise])
        heldDeliveries.leave(delivery)
        return ConsumerStatus.ACK
      } catch (error) {
        const status = await settleFailed(body, error)
        const heldMs = error instanceof SubscriptionLost ? lostHandOverMs : handOverMs
        setTimeout(() => heldDeliveries.leave(delivery), heldMs).unref()
        return status
      }
    },
  )

  async function handle(body: Buffer, redelivered: boolean, signal: AbortSignal): Promise<void> {
    const jobs = parse(body)
    if (jobs !== undefined) return handler({ jobs, redelivered, signal })
    if (options.onUnreadable === undefined) throw new SyntaxError('the message is not JSON')
    return options.onUnreadable(body)
  }

  async function settleFailed(body: Buffer, error: unknown): Promise<ConsumerStatus> {
    const fields = { queue: queue.name, err: error as Error }
    if (stopping.signal.aborted || error instanceof SubscriptionLost) {
      log.debug(fields, 'a job group returns to its queue')
      return ConsumerStatus.REQUEUE
    }
    if (queue.parkedIn === undefined || isTransient(error)) {
      log.warn(fields, 'the handler of a job group failed; the group is redelivered')
    } else {
      const entry: RejectedMessage = {
        queue: queue.name,
        reason: summarizeError(error),
        body: body.toString('base64'),
      }
      try {
        await publisher.send({ name: queue.parkedIn }, JSON.stringify(entry))
        log.error(
          fields,
          'the handler of a job group failed; the group is parked. See postern parked list, correct the cause, then retry or drop the jobs',
        )
        return ConsumerStatus.ACK
      } catch (parkError) {
        log.error(
          { ...fields, parkedIn: queue.parkedIn, reason: (parkError as Error).message },
          'the handler of a job group failed and the group cannot be parked; it is redelivered. Check the parked queue with rabbitmq-queues quorum_status',
        )
      }
    }
    // The broker redelivers immediately; the pause prevents a busy loop.
    await delay(requeueMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    return ConsumerStatus.REQUEUE
  }

  const rareLog = new ThrottledLog()
  consumer.on('ready', () => log.debug({ queue: queue.name }, 'consuming'))
  consumer.on('error', (error) => {
    const fields = { err: error as Error, queue: queue.name }
    // The loss of a channel is reported once, not for each of its deliveries.
    if (isUnacknowledged(error)) return log.debug(fields, 'a delivery of a lost channel was not acknowledged')
    const suppressed = rareLog.due('error')
    if (suppressed !== undefined) log.warn({ ...fields, suppressed }, 'consumer error; resubscribing')
  })
  return {
    get active() {
      // Not an event of the connection, because a listener would outlive the consumer.
      return isSubscribed() && connection.ready
    },
    get oldestPublishedAt() {
      return heldDeliveries.oldestPublishedAt
    },
    async stop() {
      stopping.abort()
      heldDeliveries.stop()
      try {
        await consumer.close()
      } catch (error) {
        // The connection was lost in the meantime: the broker has taken the deliveries back.
        log.debug(
          { err: error as Error, queue: queue.name },
          'the connection was lost while a consumer stopped',
        )
      }
    },
  }
}

interface HeldDelivery {
  readonly since: number
  readonly publishedAt: number
  readonly abort: AbortController
  /** Rejects when the subscription is lost; otherwise stays pending. */
  readonly lost: PromiseWithResolvers<never>
}

/**
 * Aborts deliveries that are held for too long or lost, and all deliveries at the end. One timer serves all
 * deliveries of a consumer; one that holds none needs no timer.
 */
class HeldDeliveries {
  /** Ordered by arrival. */
  readonly #held = new Set<HeldDelivery>()
  readonly #maxHeldMs: number
  readonly #isSubscribed: () => boolean
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(maxHeldMs: number, isSubscribed: () => boolean) {
    this.#maxHeldMs = maxHeldMs
    this.#isSubscribed = isSubscribed
  }

  get oldestPublishedAt(): number | undefined {
    let oldest: number | undefined
    for (const { publishedAt } of this.#held) oldest = Math.min(publishedAt, oldest ?? publishedAt)
    return oldest
  }

  enter(publishedAt: number): HeldDelivery {
    const since = performance.now()
    const delivery = {
      since,
      publishedAt,
      abort: new AbortController(),
      lost: Promise.withResolvers<never>(),
    }
    this.#held.add(delivery)
    // The broker may deliver until it has processed the cancellation.
    if (this.#stopped) delivery.abort.abort(stopped())
    else this.#timer ??= setInterval(() => this.#check(), Math.min(checkMs, this.#maxHeldMs / 10)).unref()
    return delivery
  }

  leave(delivery: HeldDelivery): void {
    this.#held.delete(delivery)
  }

  stop(): void {
    this.#stopped = true
    clearInterval(this.#timer)
    for (const { abort } of this.#held) abort.abort(stopped())
  }

  #check(): void {
    if (this.#held.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    if (!this.#isSubscribed()) this.#lose()
    const oldestAllowed = performance.now() - this.#maxHeldMs
    for (const { since, abort } of this.#held) {
      if (since >= oldestAllowed) break
      abort.abort(new Error('the delivery was held for too long'))
    }
  }

  #lose(): void {
    const reason = new SubscriptionLost('the subscription of the delivery is lost')
    for (const { abort, lost } of this.#held) {
      lost.reject(reason)
      abort.abort(reason)
    }
  }
}

const stopped = (): Error => new Error('the consumer is stopping')

const isUnacknowledged = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('failed to ack/nack message')

/** Returns undefined if the body is not JSON. */
function parse(body: Buffer): unknown[] | undefined {
  try {
    const jobs: unknown = JSON.parse(body.toString())
    return Array.isArray(jobs) ? (jobs as unknown[]) : [jobs]
  } catch {
    return undefined
  }
}
