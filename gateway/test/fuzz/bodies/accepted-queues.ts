/**
 * Takes accepted messages of all lanes from the broker, where they are durable. No worker may run at the same
 * time.
 */
import { Connection, type Channel } from 'rabbitmq-client'
import type { AcceptedJob } from '../../../src/jobs/jobs.ts'
import { waitFor } from '../../support/wait.ts'

export class AcceptedQueues {
  readonly #connection: Connection
  readonly #channel: Channel
  readonly #jobs = new Map<string, AcceptedJob>()

  private constructor(connection: Connection, channel: Channel) {
    this.#connection = connection
    this.#channel = channel
  }

  static async open(brokerUrl: string, names: readonly string[]): Promise<AcceptedQueues> {
    const connection = new Connection({ url: brokerUrl, acquireTimeout: 10_000 })
    connection.on('error', () => undefined)
    const channel = await connection.acquire()
    const queues = new AcceptedQueues(connection, channel)
    for (const queue of names) {
      await channel.basicConsume({ queue, noAck: true }, (message) => {
        const content = JSON.parse((message.body as Buffer).toString()) as AcceptedJob | AcceptedJob[]
        for (const job of Array.isArray(content) ? content : [content]) queues.#jobs.set(job.msgKey, job)
      })
    }
    return queues
  }

  /** Removes and returns the jobs of these keys in order; fails if one does not arrive. */
  async take(msgKeys: readonly string[]): Promise<AcceptedJob[]> {
    await waitFor(
      'every accepted message to be in its queue',
      () => msgKeys.every((msgKey) => this.#jobs.has(msgKey)),
      { timeoutMs: 15_000, everyMs: 5 },
    )
    return msgKeys.map((msgKey) => {
      const job = this.#jobs.get(msgKey)!
      this.#jobs.delete(msgKey)
      return job
    })
  }

  /** Number of jobs whose key no response has contained so far. */
  get unclaimed(): number {
    return this.#jobs.size
  }

  async close(): Promise<void> {
    // Close the consuming channel first: closing the connection waits for its channels.
    await this.#channel.close()
    await this.#connection.close()
  }
}
