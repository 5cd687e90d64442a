/** A role that starts while a table cannot be read waits for it: nothing is consumed or answered with an empty copy. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createTestBroker } from '../../test/support/broker.ts'
import { createTestDatabase } from '../../test/support/database.ts'
import { joinMembers } from '../../test/support/membership.ts'
import { serviceUrl } from '../../test/support/services.ts'
import { quietLog, testMetrics } from '../../test/support/silent-log.ts'
import { loadConfig } from '../platform/config.ts'
import { startApi } from './api.ts'
import type { Role } from './role.ts'
import { openEncryption } from '../platform/encryption/encryption.ts'
import type { MemberRuntime } from './runtime.ts'
import { startWorker } from './worker.ts'

const { database, url } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const config = loadConfig({
  POSTERN_DATABASE_URL: url,
  POSTERN_BROKER_URLS: serviceUrl('POSTERN_BROKER_URLS'),
  POSTERN_TOKEN_SECRET: 'a secret of the tests that is long enough',
  POSTERN_HTTP_PORT: '0',
})
const runtime: MemberRuntime = {
  config,
  log: quietLog,
  metrics: testMetrics(),
  database,
  broker,
  topology,
  redis: undefined,
  encryption: openEncryption({}),
  join: () => joinMembers(database),
  close: () => Promise.resolve(),
}

const starts: [role: string, table: string, start: (runtime: MemberRuntime) => Promise<Role>][] = [
  ['worker', 'accounts', startWorker],
  ['worker', 'routes', startWorker],
  ['worker', 'route_states', startWorker],
  ['api', 'accounts', startApi],
]
for (const [role, table, start] of starts) {
  test(`the ${role} that starts while ${table} cannot be read waits until it can`, async (t) => {
    await database.query(`alter table ${table} rename to hidden`)
    let started = false
    const starting = start(runtime).then((running) => {
      t.after(() => running.drain())
      started = true
      return running
    })
    try {
      await Promise.race([delay(400), starting])
      assert.equal(started, false)
    } finally {
      await database.query(`alter table hidden rename to ${table}`)
    }
    const running = await starting
    if (role === 'api') assert.equal(running.readiness().accounts, true)
    else assert.equal(await broker.depth(topology.parked), 0)
  })
}
