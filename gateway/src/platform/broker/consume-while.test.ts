/** A consumer that cannot work returns its deliveries to other consumers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { consumeWhile } from './consume-while.ts'

const { broker, topology } = await createTestBroker()
const queue = topology.receipts
await broker.declare([queue])

test('hanging deliveries move to another consumer and return after the recovery', async () => {
  let eligible = true
  const hanging: number[] = []
  const guarded = consumeWhile(broker, { isEligible: () => eligible, log: silentLog })
  let handle = (job: number): Promise<void> => {
    hanging.push(job)
    return new Promise(() => undefined)
  }
  const first = guarded.consume(queue, { prefetch: 8 }, ({ jobs }) => handle(jobs[0] as number))
  addCleanup(() => first.stop())
  for (const job of [1, 2, 3]) await broker.publisher.send(queue, JSON.stringify(job))
  await waitFor('the deliveries to hang', () => hanging.length >= 1)

  const handled: number[] = []
  const other = broker.consume(queue, { prefetch: 8 }, ({ jobs }) => {
    handled.push(...(jobs as number[]))
    return Promise.resolve()
  })
  eligible = false
  await waitFor('the other consumer to handle them', () => new Set(handled).size === 3)
  assert.equal(first.active, false)
  await other.stop()

  const again: number[] = []
  handle = (job) => {
    again.push(job)
    return Promise.resolve()
  }
  eligible = true
  await broker.publisher.send(queue, JSON.stringify(4))
  await waitFor('the first to consume again', () => again.includes(4))
  assert.deepEqual([first.active, again], [true, [4]])
  assert.equal(guarded.canPublish, broker.canPublish)
})
