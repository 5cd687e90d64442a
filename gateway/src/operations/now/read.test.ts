import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { assertWithin } from '../../../test/support/wait.ts'
import { NowReader } from './read.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()

test('a slow RabbitMQ is not reported as a slow PostgreSQL', async () => {
  const slow = { publisher: broker.publisher, canPublish: true, depth: () => pause(1_500, 0) }
  const reader = new NowReader({ reads: database, broker: slow, topology, log: silentLog })
  const { database: figures, alarms } = await reader.read()
  assertWithin('the figures', figures.readMs, 1_000)
  assert.ok(!alarms.some(({ id }) => id === 'database-slow'))
})

test('unreadable failures do not affect other figures', async () => {
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
  const { failures, ledger } = await new NowReader({ reads, broker, topology, log: silentLog }).read()
  assert.deepEqual(failures, { routes: [], ended: 0, unserved: 0 })
  assert.equal(ledger.accepted, 0)
})
