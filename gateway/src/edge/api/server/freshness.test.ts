import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { createProxy } from '../../../../test/support/engines/proxy.ts'
import { createTestServer } from '../../../../test/support/http/server.ts'
import { silentLog } from '../../../../test/support/silent-log.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import {
  insertCredential,
  listCredentials,
  revokeCredential,
} from '../../../identity/accounts/credential-queries.ts'
import { createKey } from '../../../identity/accounts/key.ts'
import { hashPassword } from '../../../identity/accounts/password.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import { TableCache } from '../../../platform/database/table-cache.ts'
import { createFreshness } from './freshness.ts'

test('serves within the limit and responds with A920 above it', () => {
  const tables = [{ ageMs: 1_000 }, { ageMs: 59 * 60_000 }]
  const withLimit = (maxMinutes: number, reserveMinutes = 30) =>
    createFreshness(tables, { maxMinutes, reserveMinutes })
  assert.equal(withLimit(60).isFresh(), true)
  withLimit(60).require()
  assert.equal(withLimit(58).isFresh(), false)
  assert.throws(() => withLimit(58).require(), { code: 'A920', retryAfterSeconds: 5 })
  assert.equal(withLimit(0).isFresh(), true)
  assert.equal(
    withLimit(1, 60).isFresh(),
    true,
    'the limit is never shorter than the time in which sends are accepted without records',
  )
  assert.equal(Math.round(withLimit(60).ageSeconds()), 59 * 60)
})

test('the age of a copy is that of its last comparison, not of its last change', async () => {
  let isAway = false
  const table = new TableCache(
    {
      what: 'numbers',
      version: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve('1')),
      load: () => Promise.resolve(1),
    },
    silentLog,
  )
  assert.equal(table.ageMs, Infinity)
  const began = performance.now()
  await table.refresh()
  const first = table.ageMs
  assert.ok(first <= performance.now() - began)
  isAway = true
  await table.refresh()
  assert.ok(table.ageMs >= first)
  isAway = false
  const before = performance.now()
  await table.refresh()
  assert.ok(table.ageMs <= performance.now() - before)
})

test('a revoked key and password stop working within the limit while PostgreSQL is unreachable', async () => {
  const { database, url } = await createTestDatabase()
  const { broker, topology } = await createTestBroker()
  const proxy = await createProxy(url)
  const distant = openDatabase(proxy.url, silentLog, { connections: 4 })
  addCleanup(() => distant.end())
  const maxSeconds = 4
  const api = await createTestServer({
    database: distant,
    owner: database,
    broker,
    topology,
    cacheMaxAgeMinutes: maxSeconds / 60,
    reserveMinutes: 0,
    // Admission would refuse the sends without a reserve.
    admit: () => undefined,
  })
  const { id: accountId, clientId } = await api.account({ passwordHash: await hashPassword('CORRECT-HORSE') })
  const { keyId, text: key, hash } = createKey('00')
  await insertCredential(database, {
    accountId,
    keyId,
    kind: 'key',
    hash,
    name: '',
    createdBy: 'test',
    endsAt: null,
    scopes: null,
    networks: null,
  })
  await api.accounts.refresh()
  const send = async (): Promise<string> =>
    (
      await api.inject({
        method: 'POST',
        url: '/v1/send/sms',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        payload: JSON.stringify({ from: '0234567890', to: '01012345678', text: 'hello' }),
      })
    ).body.code
  const login = async (): Promise<string> =>
    (
      await api.inject({
        method: 'POST',
        url: '/v1/auth/token',
        headers: { 'x-svc-client-id': clientId, 'x-svc-client-passwd': 'CORRECT-HORSE' },
      })
    ).body.code
  assert.deepEqual([await send(), await login()], ['A000', 'A000'])

  proxy.block()
  const stored = (await listCredentials(database, accountId)).find(
    (credential) => credential.keyId === keyId,
  )!
  await revokeCredential(database, stored.id)
  await waitFor('the key to stop working', async () => (await send()) === 'A920', {
    timeoutMs: maxSeconds * 2_000,
  })
  assert.equal(await login(), 'A920')
  proxy.unblock()
  await waitFor('the password to work again', async () => (await login()) === 'A000')
  await waitFor('the key to be unknown', async () => (await send()) === 'A002')
})
