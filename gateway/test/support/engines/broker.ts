/** Queues of one test file on the real broker under a random prefix; deleted when the file ends. */
import { randomBytes } from 'node:crypto'
import { openBroker, type Broker } from '../../../src/platform/broker/broker.ts'
import type { DeliveryHandler } from '../../../src/platform/broker/consume.ts'
import type { QueueSpec } from '../../../src/platform/broker/queue-spec.ts'
import { createTopology, fixedQueues, type Topology } from '../../../src/jobs/queues.ts'
import { addCleanup } from '../cleanup.ts'
import { silentLog } from '../silent-log.ts'
import { brokerUrls } from './services.ts'
import { waitFor } from '../wait.ts'

export interface TestBroker {
  readonly broker: Broker
  readonly topology: Topology
  /** Declares a queue that is not part of the topology. */
  queue(name: string, options?: Omit<QueueSpec, 'name'>): Promise<QueueSpec>
  /** Returns a name under the prefix without declaring a queue. */
  name(name: string): QueueSpec
  /** Opens another connection to the same queues, like another process; `options` may contain other URLs. */
  open(options?: BrokerOptions): Promise<Broker>
  /** Consumes the queue until `count` jobs have arrived. */
  drain(queue: QueueSpec, count: number): Promise<unknown[]>
}

export interface BrokerOptions {
  readonly urls?: readonly string[]
  readonly publishTimeoutMs?: number
}

/** Fewer than in production, because declaring and deleting a queue takes milliseconds. */
const partitions = 4

export async function createTestBroker(): Promise<TestBroker> {
  const prefix = `test.${randomBytes(6).toString('hex')}.`
  const declared = new Map<string, QueueSpec>()
  const note = (spec: QueueSpec): QueueSpec => {
    declared.set(spec.name, spec)
    return spec
  }
  const topology = createTopology(prefix, partitions)
  fixedQueues(topology).forEach(note)
  const broker = await openConnected()
  addCleanup(async () => {
    const last = await openConnected()
    for (const spec of declared.values()) await last.remove(spec)
  })
  await broker.declare(fixedQueues(topology))
  const name = (queue: string): QueueSpec => note({ name: `${prefix}${queue}` })
  return {
    broker,
    topology,
    name,
    async queue(queue, options = {}) {
      const spec = note({ ...name(queue), ...options })
      await broker.declare([spec])
      return spec
    },
    open: openConnected,
    async drain(queue, count) {
      const received: unknown[] = []
      const take: DeliveryHandler = ({ jobs }) => {
        received.push(...jobs)
        return Promise.resolve()
      }
      const consumption = broker.consume(queue, { prefetch: 100 }, take)
      try {
        await waitFor(`${count} jobs in ${queue.name}`, () => received.length >= count)
      } finally {
        await consumption.stop()
      }
      return received
    },
  }
}

/** Opens a broker that is ready to publish and consume; closed when the file ends. */
async function openConnected(options: BrokerOptions = {}): Promise<Broker> {
  const broker = openBroker(options.urls ?? brokerUrls(), options.publishTimeoutMs ?? 5_000, silentLog)
  addCleanup(() => broker.close())
  await waitFor('the broker', () => broker.canPublish && broker.canConsume)
  return broker
}
