/**
 * A publisher on its own connection, to queues that stop confirming on demand while the broker stays
 * connected, like queues whose leader node hangs. Messages published in the meantime arrive when the queues
 * resume.
 */
import { Connection } from 'rabbitmq-client'
import { GroupPublisher } from '../../../src/platform/broker/publish.ts'
import type { QueueSpec } from '../../../src/platform/broker/queue-spec.ts'
import { addCleanup } from '../cleanup.ts'
import { brokerUrls } from './services.ts'
import { waitFor } from '../wait.ts'

export interface HangingQueues {
  readonly publisher: GroupPublisher
  /** State changes that the publisher reported, in order. */
  readonly changes: readonly (readonly [queue: string, silent: boolean])[]
  readonly hang: (queue: QueueSpec) => void
  readonly resume: () => void
}

export async function openHangingQueues(publishTimeoutMs: number): Promise<HangingQueues> {
  const connection = new Connection({ url: brokerUrls()[0]! })
  const hanging = new Set<string>()
  const changes: [string, boolean][] = []
  let resumed = Promise.withResolvers<undefined>()
  const createPublisher: Connection['createPublisher'] = (options) => {
    const real = connection.createPublisher(options)
    const send: typeof real.send = async (envelope, body) => {
      const { routingKey = '' } = typeof envelope === 'string' ? {} : envelope
      if (hanging.has(routingKey)) await resumed.promise
      return real.send(envelope, body)
    }
    return Object.assign(Object.create(real) as typeof real, { send })
  }
  const wrapped = Object.create(connection, {
    ready: { get: () => connection.ready },
    createPublisher: { value: createPublisher },
  }) as Connection
  const publisher = new GroupPublisher(wrapped, publishTimeoutMs, (queue, silent) =>
    changes.push([queue, silent]),
  )
  addCleanup(async () => {
    resumed.resolve(undefined)
    await publisher.close()
    await connection.close()
  })
  await waitFor('the broker', () => publisher.canPublish)
  return {
    publisher,
    changes,
    hang: ({ name }) => hanging.add(name),
    resume() {
      hanging.clear()
      resumed.resolve(undefined)
      resumed = Promise.withResolvers()
    },
  }
}
