/**
 * A stopping API completes the requests in progress, gives back reserved blocks of caps, and also ends without
 * PostgreSQL.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../test/support/engines/broker.ts'
import { issueToken } from '../../test/support/http/issue-token.ts'
import { addCleanup } from '../../test/support/cleanup.ts'
import { createTestDatabase } from '../../test/support/engines/database.ts'
import { createAccount } from '../../test/support/fixtures.ts'
import { waitsForLock } from '../../test/support/engines/lock-wait.ts'
import { createMemoryLog } from '../../test/support/memory-log.ts'
import { createProxy } from '../../test/support/engines/proxy.ts'
import { createTestRuntime } from '../../test/support/runtime.ts'
import { silentLog } from '../../test/support/silent-log.ts'
import { waitFor } from '../../test/support/wait.ts'
import { createTokenKey } from '../edge/api/tokens/token.ts'
import { openDatabase } from '../platform/database/database.ts'
import { setCap } from '../trust/abuse/protection.ts'
import { startApi } from './api.ts'

const { database, url } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const proxy = await createProxy(url)
const proxied = openDatabase(proxy.url, silentLog, { connections: 16 })
addCleanup(() => proxied.end())

/** Starts an API and an account with a cap of 1,000 per day, of which a process reserves 62 at a time. */
async function start(clientId: string) {
  const accountId = await createAccount(database, clientId)
  await setCap(database, accountId, { period: 'day', class: 'all', max: 1_000 })
  const { log, lines } = createMemoryLog()
  const runtime = createTestRuntime({ database: proxied, broker, topology, log })
  const { tokenSecret, cell } = runtime.config
  const token = await issueToken(database, createTokenKey(tokenSecret, cell), accountId)
  const api = await startApi(runtime)
  const { address } = lines
    .map((line) => JSON.parse(line) as { address?: string })
    .find((line) => line.address !== undefined)!
  const send = async (): Promise<string> => {
    const response = await fetch(`${address}/v1/send/sms`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ from: '0234567890', to: '01012345678', text: 'hello' }),
    })
    return ((await response.json()) as { code: string }).code
  }
  const used = async (): Promise<number> =>
    (await database.query<{ used: number }>('select used from cap_counts where account_id = $1', [accountId]))
      .rows[0]!.used
  return { api, send, used, lines }
}

test('blocks reserved by a request in progress during the stop are given back', async () => {
  const { api, send, used } = await start('stops-busy')
  const client = await database.connect()
  await client.query('begin')
  await client.query('lock table cap_counts in share row exclusive mode')
  const sending = send()
  await waitFor('the request to reserve', () => waitsForLock(database, 'cap_counts'))
  api.prepareStop?.()
  const draining = api.drain()
  await client.query('commit')
  client.release()
  assert.equal(await sending, 'A000')
  await draining
  assert.equal(await used(), 1)
})

test('the stop ends while PostgreSQL refuses connections, and logs that reserved blocks count as used', async () => {
  const { api, send, lines } = await start('stops-cut-off')
  assert.equal(await send(), 'A000')
  proxy.block()
  try {
    api.prepareStop?.()
    await api.drain()
  } finally {
    proxy.unblock()
  }
  assert.ok(lines.some((line) => line.includes('they count as used')))
})
