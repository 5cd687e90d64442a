/**
 * Empties a queue and counts its jobs: every A000 must have its message there, and every round must start
 * with the broker in the same state.
 */
import type { Connection } from 'rabbitmq-client'

export interface DrainedQueue {
  readonly brokerMessages: number
  /** Jobs in all broker messages, each of which carries one job or an array. */
  readonly jobs: number
  readonly bytes: number
}

const acknowledgeEvery = 250

export async function drainQueue(connection: Connection, queue: string): Promise<DrainedQueue> {
  const channel = await connection.acquire()
  try {
    const { messageCount } = await channel.queueDeclare({ queue, passive: true })
    if (messageCount === 0) return { brokerMessages: 0, jobs: 0, bytes: 0 }
    await channel.basicQos({ prefetchCount: 4 * acknowledgeEvery })
    const emptied = Promise.withResolvers<undefined>()
    let brokerMessages = 0
    let jobs = 0
    let bytes = 0
    channel.once('close', () => emptied.reject(new Error(`channel closed while emptying ${queue}`)))
    await channel.basicConsume({ queue }, (message) => {
      const body = message.body as Buffer
      const content: unknown = JSON.parse(body.toString())
      brokerMessages++
      jobs += Array.isArray(content) ? content.length : 1
      bytes += body.length
      const done = brokerMessages === messageCount
      if (done || brokerMessages % acknowledgeEvery === 0) {
        channel.basicAck({ deliveryTag: message.deliveryTag, multiple: true })
      }
      if (done) emptied.resolve(undefined)
    })
    await emptied.promise
    return { brokerMessages, jobs, bytes }
  } finally {
    await channel.close()
  }
}
