/**
 * Consumes a queue whose messages hold one job or an array of jobs. Acknowledges in bulk all messages before
 * the first one with an unfinished job.
 */
import type { Channel, Connection } from 'rabbitmq-client'

export async function consumeBare(
  connection: Connection,
  queue: string,
  prefetchCount: number,
  take: (job: unknown, tag: number) => void,
): Promise<(tags: readonly number[]) => void> {
  const channel: Channel = await connection.acquire()
  await channel.basicQos({ prefetchCount })
  /** Unfinished jobs of each message. */
  const open = new Map<number, number>()
  let acknowledged = 0
  let delivered = 0
  await channel.basicConsume({ queue }, ({ body, deliveryTag }) => {
    const content: unknown = JSON.parse((body as Buffer).toString())
    const jobs: unknown[] = Array.isArray(content) ? content : [content]
    open.set(deliveryTag, jobs.length)
    delivered = deliveryTag
    for (const job of jobs) take(job, deliveryTag)
  })
  return (tags) => {
    for (const tag of tags) open.set(tag, open.get(tag)! - 1)
    let upTo = acknowledged
    while (upTo < delivered && open.get(upTo + 1) === 0) open.delete(++upTo)
    if (upTo === acknowledged) return
    acknowledged = upTo
    channel.basicAck({ deliveryTag: upTo, multiple: true })
  }
}
