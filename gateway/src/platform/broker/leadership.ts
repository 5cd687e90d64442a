/**
 * Ownership by leadership: one message lies in a queue with a single active consumer; whoever holds it, unacknowledged,
 * is the owner. When the owner dies or loses its connection, the broker hands the leadership to the next process at
 * once, without polling and without a second lock that could disagree with the broker.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Channel, Connection } from 'rabbitmq-client'
import type { Log } from '../log.ts'
import { queueArguments, type QueueSpec } from './queue-spec.ts'

// The broker closes a channel that holds a delivery for 30 minutes, so the leadership is renewed well before.
const renewMs = 5 * 60_000
const retryMs = 250
const fitnessMs = 250

export interface LeadershipHandlers {
  onGained(): void
  onLost(): void
  /**
   * False while this process could not do the owner's work, because something else than the broker is out of its
   * reach: it then gives the leadership up to one that can, and does not compete. Absent, it always may.
   */
  isEligible?(): boolean
}

export interface Leadership {
  readonly owned: boolean
  /** Gives the leadership back. Call it after the owner's work has ended. */
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

  const isFit = (): boolean => handlers.isEligible?.() ?? true

  async function subscribe(): Promise<void> {
    const current = await connection.acquire({ emitErrorsFromChannel: true })
    if (stopping.signal.aborted) {
      await current.close()
      return
    }
    channel = current
    let heldTag: number | undefined
    // Not events.once: it would also reject, unheard, when the channel reports an error first.
    const closed = new Promise<void>((resolve) => current.once('close', resolve))
    current.on('error', (error) =>
      log.debug({ err: error as Error, queue: queue.name }, 'leadership channel error'),
    )
    const renewal = setInterval(() => {
      put(current, queue).catch((error: unknown) =>
        log.debug({ err: error as Error }, 'cannot renew a leadership'),
      )
    }, renewMs)
    const fitness = setInterval(() => {
      if (isFit() || !current.active) return
      log.warn({ queue: queue.name }, 'cannot do the work; giving the leadership up')
      current.close().catch(() => undefined)
    }, fitnessMs)
    try {
      await current.queueDeclare({ queue: queue.name, durable: true, arguments: queueArguments(queue) })
      await put(current, queue)
      await current.basicConsume({ queue: queue.name }, (message) => {
        // Every process that starts puts a leadership in; one is kept, the others go.
        if (heldTag !== undefined && current.active) current.basicAck({ deliveryTag: heldTag })
        heldTag = message.deliveryTag
        if (owned || stopping.signal.aborted) return
        owned = true
        handlers.onGained()
      })
      await closed
    } finally {
      clearInterval(renewal)
      clearInterval(fitness)
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
        if (isFit()) await subscribe()
      } catch (error) {
        log.debug({ err: error as Error, queue: queue.name }, 'cannot reach the leadership; trying again')
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
      // While the broker is away there is no channel to close, and nothing to wait for.
      if (channel?.active !== true) return
      await channel.close().catch(() => undefined)
      await running
    },
  }
}

async function put(channel: Channel, queue: QueueSpec): Promise<void> {
  if (channel.active) await channel.basicPublish({ routingKey: queue.name, durable: true }, Buffer.from('[]'))
}
