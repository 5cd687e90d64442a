/**
 * Messages to every process that listens, over the broker's predeclared direct exchange. They are transient: one that is sent
 * while nobody listens, or while the broker is unavailable, is lost, so only what is soon sent again may travel this way.
 */
import type { Connection, Publisher } from 'rabbitmq-client'
import type { Log } from '../log.ts'

/** It exists in every broker, so nothing is declared for a topic and nothing is left of it. */
const exchange = 'amq.direct'
/** What a listener that does not keep up may miss is the oldest. */
const maxWaiting = 1_000

export interface Listening {
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
    // Not held back until the broker is reachable again: by then it is out of date.
    if (!this.#connection.ready) return
    const body = Buffer.from(JSON.stringify(message))
    this.#publisher.send({ exchange, routingKey: topic, durable: false }, body).catch(() => undefined)
  }

  close(): Promise<void> {
    return this.#publisher.close()
  }
}

/** `handler` gets every message that is JSON. */
export function listen(
  connection: Connection,
  topic: string,
  handler: (message: unknown) => void,
  log: Log,
): Listening {
  const consumer = connection.createConsumer(
    {
      queue: '',
      noAck: true,
      queueOptions: {
        ...{ exclusive: true, autoDelete: true },
        arguments: { 'x-queue-type': 'classic', 'x-max-length': maxWaiting },
      },
      queueBindings: [{ exchange, routingKey: topic }],
    },
    (message) => {
      const read = parse(message.body as Buffer)
      if (read !== undefined) handler(read.value)
    },
  )
  consumer.on('error', (error) =>
    log.warn(
      { err: error as Error, topic },
      'cannot listen to the broker; trying again. Until then this process knows nothing of the load of the others. Check the broker and POSTERN_BROKER_URLS',
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
