/** A process that copies jobs from one queue to another and is killed by a job that is "poison". */
import { Redis } from 'ioredis'
import { openBroker } from '../../../src/platform/broker/broker.ts'
import { RedeliveryGuard } from '../../../src/platform/broker/redelivery.ts'
import { silentLog } from '../silent-log.ts'

const [brokerUrl, redisUrl, keyPrefix, queue, parkedIn, done] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string,
]
const guard = new RedeliveryGuard({ redis: new Redis(redisUrl), keyPrefix })
const broker = openBroker([brokerUrl], 5_000, silentLog, undefined, undefined, guard)
const consumption = broker.consume({ name: queue, parkedIn }, { prefetch: 10 }, async ({ jobs }) => {
  if (jobs.includes('poison')) process.kill(process.pid, 'SIGKILL')
  await broker.publisher.send({ name: done }, JSON.stringify(jobs[0]))
})
process.on('SIGTERM', () => {
  void consumption.stop().then(() => process.exit(0))
})
