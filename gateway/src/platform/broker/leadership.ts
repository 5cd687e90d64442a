/**
 * Leader election by a single-active-consumer queue that holds one token message. The broker delivers the token to one
 * consumer at a time; the process that holds it unacknowledged is the leader. When the leader dies or loses its
 * connection, the broker requeues the token and delivers it to the next process, without polling and without a second
 * lock service that could disagree with the broker. A process that was cut off can believe for a few heartbeats that it
 * still leads, so the work of a leader must also be safe in the database. Route ownership uses it.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Channel, Connection } from 'rabbitmq-client'
import type { Log } from '../log.ts'
import { queueArguments, type QueueSpec } from './queue-spec.ts'

// The broker closes a channel that holds a delivery for 30 minutes, so the token is replaced well before that.
const renewMs = 5 * 60_000
const retryMs = 250
const eligibilityCheckMs = 250

export interface LeadershipHandlers {
  onGained(): void
  onLost(): void
  /**
   * False while this process cannot do the leader's work, for example because it cannot reach PostgreSQL. It then gives
   * the leadership up and does not compete. Absent: always eligible.
   */
  isEligible?(): boolean
}

export interface Leadership {
  readonly owned: boolean
  /** Gives the leadership up. Call it after the leader's work has ended. */
  release(): Promise<void>
}

export function competeForLeadership(
  connection: Connection,
  queue: QueueSpec,
  handlers: LeadershipHandlers,
  log: Log,
): Leadership {
  const stopping = new AbortController()
  let owned = false
  let channel: Channel | undefined

  const isEligible = (): boolean => handlers.isEligible?.() ?? true

  async function subscribe(): Promise<void> {
    const current = await connection.acquire({ emitErrorsFromChannel: true })
    if (stopping.signal.aborted) {
      await current.close()
      return
    }
    channel = current
    let heldTag: number | undefined
    // Not events.once: its promise would reject, unhandled, when the channel emits an error first.
    const closed = new Promise<void>((resolve) => current.once('close', resolve))
    current.on('error', (error) =>
      log.debug({ err: error as Error, queue: queue.name }, 'leadership channel error'),
    )
    const renewal = setInterval(() => {
      publishToken(current, queue).catch((error: unknown) =>
        log.debug({ err: error as Error }, 'cannot replace the leadership token; retrying'),
      )
    }, renewMs)
    const eligibility = setInterval(() => {
      if (isEligible() || !current.active) return
      log.warn({ queue: queue.name }, 'not eligible to lead; giving the leadership up to another process')
      current.close().catch(() => undefined)
    }, eligibilityCheckMs)
    try {
      await current.queueDeclare({ queue: queue.name, durable: true, arguments: queueArguments(queue) })
      await publishToken(current, queue)
      await current.basicConsume({ queue: queue.name }, (message) => {
        // Every process that starts publishes a token; the leader keeps the newest and acknowledges the others.
        if (heldTag !== undefined && current.active) current.basicAck({ deliveryTag: heldTag })
        heldTag = message.deliveryTag
        if (owned || stopping.signal.aborted) return
        owned = true
        handlers.onGained()
      })
      await closed
    } finally {
      clearInterval(renewal)
      clearInterval(eligibility)
      if (current.active) await current.close()
      if (owned) {
        owned = false
        handlers.onLost()
      }
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        if (isEligible()) await subscribe()
      } catch (error) {
        log.debug(
          { err: error as Error, queue: queue.name },
          'cannot take part in the leader election; retrying',
        )
      }
      await delay(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }

  const running = run()
  return {
    get owned() {
      return owned
    },
    async release() {
      owned = false
      stopping.abort()
      // While the broker is unavailable there is no channel to close and nothing to wait for.
      if (channel?.active !== true) return
      await channel.close().catch(() => undefined)
      await running
    },
  }
}

async function publishToken(channel: Channel, queue: QueueSpec): Promise<void> {
  if (channel.active) await channel.basicPublish({ routingKey: queue.name, durable: true }, Buffer.from('[]'))
}
