/**
 * Broadcasts messages to every listening process over the broker's predeclared direct exchange. Messages are
 * transient: a message that is sent while no process listens, or while the broker is unavailable, is lost.
 * Broadcast only values that are sent again soon.
 */
import type { Connection, Publisher } from 'rabbitmq-client'
import type { Log } from '../logging/log.ts'

/** This exchange exists in every broker, so no topic is declared or left behind. */
const exchange = 'amq.direct'
/** Maximum queue length per listener; a slow listener misses the oldest messages. */
const maxWaiting = 1_000

export interface Listener {
  stop(): Promise<void>
}

export class Broadcaster {
  readonly #connection: Connection
  readonly #publisher: Publisher

  constructor(connection: Connection) {
    this.#connection = connection
    this.#publisher = connection.createPublisher({ confirm: false })
  }

  send(topic: string, message: object): void {
    // The message would be out of date when the broker is reachable again.
    if (!this.#connection.ready) return
    const body = Buffer.from(JSON.stringify(message))
    this.#publisher.send({ exchange, routingKey: topic, durable: false }, body).catch(() => undefined)
  }

  close(): Promise<void> {
    return this.#publisher.close()
  }
}

/** Calls `handler` with every message that is valid JSON. */
export function listen(
  connection: Connection,
  topic: string,
  handler: (message: unknown) => void,
  log: Log,
): Listener {
  const consumer = connection.createConsumer(
    {
      queue: '',
      noAck: true,
      queueOptions: {
        exclusive: true,
        autoDelete: true,
        arguments: { 'x-queue-type': 'classic', 'x-max-length': maxWaiting },
      },
      queueBindings: [{ exchange, routingKey: topic }],
    },
    (message) => {
      const parsed = parse(message.body as Buffer)
      if (parsed !== undefined) handler(parsed.value)
    },
  )
  consumer.on('error', (error) =>
    log.warn(
      { err: error as Error, topic },
      'cannot subscribe to broadcasts; retrying. Until then this process misses what other processes broadcast. Check the broker and POSTERN_BROKER_URLS',
    ),
  )
  return { stop: () => consumer.close() }
}

function parse(body: Buffer): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(body.toString()) }
  } catch {
    return undefined
  }
}
