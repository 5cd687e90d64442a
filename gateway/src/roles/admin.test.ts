/**
 * The admin API listens only where its operator configured it. On a reachable address, it serves plaintext only to a reverse proxy
 * that serves HTTPS.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../test/support/engines/database.ts'
import { choosePort } from '../../../tools/engines/free-ports.ts'
import { createTestRuntime } from '../../test/support/runtime.ts'
import type { Config } from '../platform/settings/config.ts'
import { startAdmin } from './admin.ts'
import type { Runtime } from './runtime.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()

const runtime = (settings: Partial<Config>): Runtime =>
  createTestRuntime({ database, broker, topology, ...settings })

test('serves its description to everyone, and operations only with a key', async () => {
  const port = await choosePort()
  const role = await startAdmin(runtime({ adminPort: port }))
  const base = `http://127.0.0.1:${port}/admin/v1`
  assert.equal((await fetch(`${base}/openapi.json`)).status, 200)
  assert.equal((await fetch(`${base}/now`)).status, 401)
  await role.drain()
  await assert.rejects(fetch(`${base}/now`))
})

test('refuses to start without a port, in plaintext beyond loopback, or with an impossible origin pattern', async () => {
  await assert.rejects(startAdmin(runtime({})), /POSTERN_ADMIN_PORT is not set/)
  const tooLong = { adminPort: 1, originPattern: '[0-9]{99}' }
  await assert.rejects(startAdmin(runtime(tooLong)), /POSTERN_ORIGIN_PATTERN must allow codes of 1 to 20/)
  const exposed = { adminPort: 0, adminHost: '0.0.0.0' }
  await assert.rejects(startAdmin(runtime(exposed)), /the admin API listens in plaintext on 0\.0\.0\.0/)
})
