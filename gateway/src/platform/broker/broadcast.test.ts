/** Broadcasts between two processes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { waitFor } from '../../../test/support/wait.ts'

const [first, other] = await Promise.all([createTestBroker(), createTestBroker()])

test('only the listeners of a topic get its messages', async () => {
  const topic = `${first.topology.parked.name}.topic`
  const received: unknown[][] = [[], [], []]
  const listening = [
    first.broker.listen(topic, (message) => received[0]!.push(message)),
    other.broker.listen(topic, (message) => received[1]!.push(message)),
    other.broker.listen(`${topic}.other`, (message) => received[2]!.push(message)),
  ]
  await waitFor('both to listen', () => {
    first.broker.broadcast(topic, { n: 1 })
    return received[0]!.length > 0 && received[1]!.length > 0
  })
  other.broker.broadcast(topic, { n: 2 })
  const has = (messages: unknown[]): boolean => messages.some((message) => (message as { n: number }).n === 2)
  await waitFor('the message of the other process', () => has(received[0]!) && has(received[1]!))
  assert.deepEqual(received[2], [])
  await Promise.all(listening.map((subscription) => subscription.stop()))
})
