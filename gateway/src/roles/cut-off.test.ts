/**
 * A worker that is cut off from PostgreSQL but not from the broker keeps no message from the other workers.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../test/support/engines/broker.ts'
import { addCleanup } from '../../test/support/cleanup.ts'
import { createTestDatabase } from '../../test/support/engines/database.ts'
import { acceptedJobs } from '../../test/support/fixtures.ts'
import { createProxy } from '../../test/support/engines/proxy.ts'
import { createTestRuntime } from '../../test/support/runtime.ts'
import { silentLog } from '../../test/support/silent-log.ts'
import { waitFor } from '../../test/support/wait.ts'
import { openDatabase } from '../platform/database/database.ts'
import { startWorker } from './worker.ts'

const { database, url } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const proxy = await createProxy(url)
const proxied = openDatabase(proxy.url, silentLog, { connections: 4 })
addCleanup(() => proxied.end())

test('another worker records messages of a cut off worker within seconds', async (t) => {
  const cutOff = await startWorker(createTestRuntime({ database: proxied, broker, topology }))
  t.after(async () => {
    proxy.unmute()
    await cutOff.drain()
  })
  await waitFor('PostgreSQL to answer it', () => cutOff.readiness().database)
  proxy.mute()
  const jobs = acceptedJobs(20)
  for (const job of jobs) await broker.publisher.send(topology.accepted.normal, JSON.stringify(job))
  await waitFor(
    'the worker to receive them',
    async () => (await broker.depth(topology.accepted.normal)) === 0,
  )

  const runtime = createTestRuntime({ database, broker, topology })
  const other = await startWorker(runtime)
  t.after(() => other.drain())
  await waitFor(
    'the other worker to record them',
    async () => {
      const { rows } = await database.query<{ n: number }>('select count(*)::int as n from messages')
      return rows[0]!.n === jobs.length
    },
    { timeoutMs: 15_000 },
  )
  assert.equal(cutOff.readiness().database, false)
})
