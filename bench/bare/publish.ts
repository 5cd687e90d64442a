/**
 * Publishing of the bare programs. `single` sends every job as a broker message with its own confirm.
 * `grouped` sends the jobs of one turn of the event loop as one broker message, a JSON array of at most 64,
 * with a shared confirm, like the gateway. Both resolve after the confirm.
 */
import type { Connection } from 'rabbitmq-client'

export const publishingNames = ['single', 'grouped'] as const
export type Publishing = (typeof publishingNames)[number]

/** `job` is serialized JSON. */
export type Publish = (queue: string, job: string) => Promise<void>

const maxJobs = 64

interface Group {
  readonly jobs: string[]
  readonly done: PromiseWithResolvers<void>
}

export function createPublish(connection: Connection, publishing: Publishing): Publish {
  const publisher = connection.createPublisher({ confirm: true })
  const single: Publish = (queue, job) =>
    publisher.send({ routingKey: queue, durable: true }, Buffer.from(job))
  return publishing === 'single' ? single : group(single)
}

function group(single: Publish): Publish {
  const open = new Map<string, Group>()
  const flush = (queue: string): void => {
    const full = open.get(queue)
    if (full === undefined) return
    open.delete(queue)
    single(queue, `[${full.jobs.join(',')}]`).then(full.done.resolve, full.done.reject)
  }
  return (queue, job) => {
    let current = open.get(queue)
    if (current === undefined) {
      current = { jobs: [], done: Promise.withResolvers() }
      open.set(queue, current)
      setImmediate(flush, queue)
    }
    current.jobs.push(job)
    if (current.jobs.length === maxJobs) flush(queue)
    return current.done.promise
  }
}
