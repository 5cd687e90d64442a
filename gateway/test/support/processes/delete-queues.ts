/** Deletes the queues of one prefix. AMQP cannot list queues, so their names come from the gateway's topology. */
import { Connection } from 'rabbitmq-client'
import { lanes } from '../../../src/channels/lane.ts'
import { createTopology, fixedQueues } from '../../../src/jobs/queues.ts'

export async function deleteQueues(
  brokerUrl: string,
  prefix: string,
  routeIds: Iterable<string>,
): Promise<void> {
  const topology = createTopology(prefix)
  const routed = [...routeIds].flatMap((id) => [
    topology.owner(id),
    ...lanes.map((lane) => topology.lane(id, lane)),
  ])
  const connection = new Connection({ url: brokerUrl, acquireTimeout: 5_000 })
  connection.on('error', () => undefined)
  try {
    for (const queue of [...fixedQueues(topology), ...routed]) {
      await connection.queueDelete({ queue: queue.name })
    }
  } finally {
    await connection.close()
  }
}
