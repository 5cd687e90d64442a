/** Consumes a queue and acknowledges in bulk: everything before the first unfinished message. */
import type { Channel, Connection } from 'rabbitmq-client'

export async function consumeBare(
  connection: Connection,
  queue: string,
  prefetchCount: number,
  take: (body: string, tag: number) => void,
): Promise<(tags: readonly number[]) => void> {
  const channel: Channel = await connection.acquire()
  await channel.basicQos({ prefetchCount })
  const done = new Set<number>()
  let acknowledged = 0
  await channel.basicConsume({ queue }, (message) =>
    take((message.body as Buffer).toString(), message.deliveryTag),
  )
  return (tags) => {
    for (const tag of tags) done.add(tag)
    let upTo = acknowledged
    while (done.delete(upTo + 1)) upTo++
    if (upTo === acknowledged) return
    acknowledged = upTo
    channel.basicAck({ deliveryTag: upTo, multiple: true })
  }
}
