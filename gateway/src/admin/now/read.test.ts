/** What is slow or fails beside the figures of PostgreSQL is not taken for them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createTestBroker } from '../../../test/support/broker.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { quietLog } from '../../../test/support/silent-log.ts'
import { assertWithin } from '../../../test/support/wait.ts'
import { NowReader } from './read.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()

test('RabbitMQ that answers slowly is not reported as PostgreSQL that is slow', async () => {
  const slow = { publisher: broker.publisher, canPublish: true, depth: () => pause(1_500, 0) }
  const reader = new NowReader({ reads: database, broker: slow, topology, log: quietLog })
  const { database: figures, alarms } = await reader.read()
  assertWithin('the figures', figures.readMs, 1_000)
  assert.ok(!alarms.some(({ id }) => id === 'database-slow'))
})

test('failures that cannot be read leave the other figures', async () => {
  const reads = new Proxy(database, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (name !== 'query') return typeof value === 'function' ? (value.bind(target) as unknown) : value
      return (statement: unknown, ...more: unknown[]) =>
        String(statement).includes('from attempts')
          ? Promise.reject(new Error('canceling statement due to statement timeout'))
          : (value as (...given: unknown[]) => unknown).call(target, statement, ...more)
    },
  })
  const { failures, ledger } = await new NowReader({ reads, broker, topology, log: quietLog }).read()
  assert.deepEqual(failures, { routes: [], ended: 0, unserved: 0 })
  assert.equal(ledger.accepted, 0)
})
