/**
 * The connections to RabbitMQ: one for publishing and one for consuming, because the broker throttles a publishing
 * connection under load and acknowledgements must not wait for that. Both reconnect automatically; consumers declare
 * their queues again on every reconnect.
 */
import { Connection, type ConnectionOptions } from 'rabbitmq-client'
import type { Log } from '../logging/log.ts'
import { brokerTls, type OnUnusable, type TlsFiles } from '../settings/tls.ts'
import { Broadcaster, listen, type Listener } from './broadcast.ts'
import { startConsumer, type Consumption, type ConsumeOptions, type DeliveryHandler } from './consume.ts'
import { GroupPublisher } from './publish.ts'
import type { OnUnconfirmedChange } from './unconfirmed-queues.ts'
import { queueArguments, type QueueSpec } from './queue-spec.ts'
import { RedeliveryGuard } from './redelivery.ts'

export interface Broker {
  readonly publisher: GroupPublisher
  /** Whether the broker is connected and not blocked by a resource alarm. */
  readonly canPublish: boolean
  readonly canConsume: boolean
  declare(queues: readonly QueueSpec[]): Promise<void>
  consume(queue: QueueSpec, options: ConsumeOptions, handler: DeliveryHandler): Consumption
  /** Sends a transient message to every process that listens to the topic. */
  broadcast(topic: string, message: object): void
  listen(topic: string, handler: (message: unknown) => void): Listener
  /** Number of messages ready in the queue; unacknowledged ones are not counted. */
  depth(queue: QueueSpec): Promise<number>
  /**
   * Counts ready messages and consumers. Both are 0 while the queue has no leader, even if it holds messages.
   */
  count(queue: QueueSpec): Promise<{ readonly ready: number; readonly consumers: number }>
  remove(queue: QueueSpec): Promise<void>
  close(): Promise<void>
}

/**
 * `onSilence` is called when a queue stops confirming and when it confirms again. `files` are the TLS files
 * for `amqps://`; without them the server is verified against the certificate authorities of Node.js. `guard`
 * parks messages that crash the process.
 */
export function openBroker(
  urls: readonly string[],
  publishTimeoutMs: number,
  log: Log,
  onSilence?: OnUnconfirmedChange,
  files?: TlsFiles,
  guard = new RedeliveryGuard({ redis: undefined, keyPrefix: '' }),
): Broker {
  const options = toConnectionOptions(urls, files, (err) =>
    log.error(
      { err },
      'cannot use the TLS files for RabbitMQ; keeping those read before. Correct them: the next connection reads them again',
    ),
  )
  const publishing = connect(options, 'publish', log)
  const consuming = connect(options, 'consume', log)
  const publisher = new GroupPublisher(publishing, publishTimeoutMs, (queue, silent) => {
    logSilence(log, queue, silent)
    onSilence?.(queue, silent)
  })
  const broadcaster = new Broadcaster(publishing)
  const count: Broker['count'] = async (queue) => {
    const declared = await consuming.queueDeclare({ queue: queue.name, passive: true })
    return { ready: declared.messageCount, consumers: declared.consumerCount }
  }
  return {
    publisher,
    get canPublish() {
      return publisher.canPublish
    },
    get canConsume() {
      return consuming.ready
    },
    async declare(queues) {
      for (const spec of queues) {
        await consuming.queueDeclare({ queue: spec.name, durable: true, arguments: queueArguments(spec) })
      }
    },
    consume: (queue, options, handler) =>
      startConsumer(consuming, publisher, queue, options, handler, guard, log),
    broadcast: (topic, message) => broadcaster.send(topic, message),
    listen: (topic, handler) => listen(consuming, topic, handler, log),
    depth: async (queue) => (await count(queue)).ready,
    count,
    async remove(queue) {
      await consuming.queueDelete({ queue: queue.name })
    },
    async close() {
      await publisher.close()
      await broadcaster.close()
      await Promise.all([publishing.close(), consuming.close()])
    },
  }
}

function logSilence(log: Log, queue: string, silent: boolean): void {
  if (silent)
    log.error(
      { queue },
      'a queue does not confirm publishes although the broker is connected; its jobs are refused or wait in PostgreSQL. Its leader may be on a hanging node, or it has lost its majority: see rabbitmq-queues quorum_status, and restart that node',
    )
  else log.info({ queue }, 'the queue confirms again')
}

function connect(options: ConnectionOptions, purpose: string, log: Log): Connection {
  const connection = new Connection({ ...options, connectionName: `postern ${purpose}` })
  // The library adds a listener for every consumer that waits for the connection, and removes it later.
  connection.setMaxListeners(0)
  connection.on('error', (error) =>
    log.warn({ err: error as Error, purpose }, 'broker connection error; reconnecting'),
  )
  connection.on('connection', () => log.info({ purpose }, 'broker connected'))
  connection.on('connection.blocked', (reason) =>
    log.error(
      { purpose, reason },
      'the broker blocks publishers because of a resource alarm; sends are refused. Free disk space or memory of the broker',
    ),
  )
  connection.on('connection.unblocked', () => log.info({ purpose }, 'the broker accepts messages again'))
  return connection
}

/**
 * The broker closes a silent connection two to three heartbeats after its last frame, and only then passes
 * the jobs of a hanging or disconnected process to another one. Any frame counts as a heartbeat, so a busy
 * machine is not considered dead.
 */
const heartbeatSeconds = 3

/**
 * Builds the options for several nodes with the same credentials: when a node is lost, the connection moves
 * to the next one.
 */
export function toConnectionOptions(
  urls: readonly string[],
  files?: TlsFiles,
  onUnusable?: OnUnusable,
): ConnectionOptions {
  const [first] = urls
  if (first === undefined) throw new Error('brokerUrls must contain at least one URL')
  const tls = brokerTls(urls, files, onUnusable)
  const standardPort = tls === undefined ? '5672' : '5671'
  const parsed = urls.map((url) => new URL(url))
  return {
    url: first,
    hosts: parsed.map((url) => `${url.hostname}:${url.port === '' ? standardPort : url.port}`),
    ...(tls === undefined ? {} : { tls }),
    heartbeat: heartbeatSeconds,
    frameMax: 131_072,
    connectionTimeout: 5_000,
    acquireTimeout: 5_000,
    retryLow: 200,
    retryHigh: 2_000,
    noDelay: true,
  }
}
