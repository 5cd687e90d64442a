/**
 * Deletes the queues of one prefix. AMQP cannot list queues, so their names come from the gateway's topology.
 */
import { Connection } from 'rabbitmq-client'
import { createTopology, fixedQueues } from '../../../src/jobs/queues.ts'

export async function deleteQueues(brokerUrl: string, prefix: string): Promise<void> {
  const topology = createTopology(prefix)
  const connection = new Connection({ url: brokerUrl, acquireTimeout: 5_000 })
  connection.on('error', () => undefined)
  try {
    for (const queue of fixedQueues(topology)) {
      await connection.queueDelete({ queue: queue.name })
    }
  } finally {
    await connection.close()
  }
}
