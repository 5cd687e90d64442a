/**
 * A role that starts while a table cannot be read waits for it: nothing is consumed or served with an empty
 * copy.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createTestBroker } from '../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../test/support/engines/database.ts'
import { createTestRuntime } from '../../test/support/runtime.ts'
import { startApi } from './api.ts'
import type { Role } from './role.ts'
import type { MemberRuntime } from './runtime.ts'
import { startWorker } from './worker.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const runtime = createTestRuntime({ database, broker, topology })

const starts: [role: string, table: string, start: (runtime: MemberRuntime) => Promise<Role>][] = [
  ['worker', 'accounts', startWorker],
  ['worker', 'routes', startWorker],
  ['worker', 'route_states', startWorker],
  ['api', 'accounts', startApi],
]
for (const [role, table, start] of starts) {
  test(`the ${role} waits at the start until ${table} can be read`, async (t) => {
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
