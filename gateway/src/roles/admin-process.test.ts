/** `postern admin` as a separate process, with a port and a key, until it is stopped. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestBroker } from '../../test/support/engines/broker.ts'
import { addCleanup } from '../../test/support/cleanup.ts'
import { createTestDatabase } from '../../test/support/engines/database.ts'
import { addTestOperator } from '../../test/support/http/operators.ts'
import { choosePort } from '../../../tools/engines/free-ports.ts'
import { Program } from '../../test/support/processes/program.ts'
import { serviceUrl } from '../../test/support/engines/services.ts'
import { waitFor, withTimeout } from '../../test/support/wait.ts'

const { database, url } = await createTestDatabase()
const { topology } = await createTestBroker()
const key = await addTestOperator(database, 'kim', 'admin')
const [port, opsPort] = [await choosePort(), await choosePort()]
const directory = mkdtempSync(join(tmpdir(), 'postern-admin-'))
const program = new Program({
  name: 'admin',
  script: 'gateway/src/main.ts',
  args: ['admin'],
  directory,
  environment: {
    POSTERN_DATABASE_URL: url,
    POSTERN_PRIVILEGED_DATABASE_USER: 'warn',
    POSTERN_BROKER_URLS: serviceUrl('POSTERN_BROKER_URLS'),
    POSTERN_QUEUE_PREFIX: topology.parked.name.replace(/parked$/, ''),
    POSTERN_TOKEN_SECRET: 'x'.repeat(32),
    // Meant for an API in the same process: the admin API on loopback needs no proxy.
    POSTERN_HTTP_PLAINTEXT: 'proxy',
    POSTERN_ADMIN_PORT: String(port),
    POSTERN_OPS_PORT: String(opsPort),
    POSTERN_DRAIN_DELAY_SECONDS: '0',
  },
})
addCleanup(async () => {
  await program.kill()
  rmSync(directory, { recursive: true })
})
const base = `http://127.0.0.1:${port}/admin/v1`
const headers = { authorization: `Bearer ${key}` }

test('the process serves key holders, streams, and ends its streams on a stop', async () => {
  program.start()
  await waitFor(
    `a response (log: ${program.logFile})`,
    () =>
      fetch(`${base}/openapi.json`).then(
        ({ ok }) => ok,
        () => false,
      ),
    { timeoutMs: 60_000 },
  )
  assert.equal((await fetch(`${base}/me`)).status, 401)
  const me = (await (await fetch(`${base}/me`, { headers })).json()) as { data: { name: string } }
  assert.equal(me.data.name, 'kim')
  const { data } = (await (await fetch(`${base}/now`, { headers })).json()) as {
    data: { alarms: { id: string }[] }
  }
  assert.ok(data.alarms.some(({ id }) => id === 'no-worker'))
  const stream = await fetch(`${base}/live`, { headers })
  const text = stream.text()
  await withTimeout('the stop', program.stop(), { timeoutMs: 30_000 })
  assert.match(await withTimeout('the end of the stream', text), /event: end/)
  assert.deepEqual(program.unexpectedExits, [])
})
