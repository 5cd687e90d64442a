import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createTestAdmin } from '../../test/support/http/admin.ts'
import { assertWithin, waitFor } from '../../test/support/wait.ts'
import { listAudit } from '../identity/audit/queries.ts'

const admin = await createTestAdmin({ maxRefusals: 3, settings: { POSTERN_ADMIN_PROXY_HOPS: '1' } })
const { database, keys, server } = admin
const wrong = `${keys.viewer.slice(0, -4)}AAAA`
const from = async (address: string, key?: string): Promise<number> => {
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const headers = { ...authorization, 'x-forwarded-for': address }
  return (await server.inject({ url: '/admin/v1/me', headers })).statusCode
}

test('refusals of an address do not lock out an operator with the same address', async () => {
  const codes = []
  for (let i = 0; i < 5; i++) codes.push(await from('192.0.2.1'))
  assert.deepEqual(codes, [401, 401, 401, 429, 429])
  assert.equal(await from('192.0.2.1', wrong), 429)
  assert.equal(await from('192.0.2.1', keys.viewer), 200)
})

test('a /64 network counts as one address, also for concurrent requests', async () => {
  const addresses = Array.from({ length: 12 }, (_, i) => `2001:db8::${i + 1}`)
  const codes = await Promise.all(addresses.map((address) => from(address, wrong)))
  assert.equal(codes.filter((code) => code === 401).length, 3)
  assert.equal((await listAudit(database, { limit: 100 })).length, 3)
})

test('refused sign-ins from many networks add a limited number of rows', async () => {
  for (let batch = 0; batch < 2; batch++)
    await Promise.all(Array.from({ length: 32 }, (_, i) => from(`198.51.${batch}.${i}`, wrong)))
  // The limit is 60 rows per minute over all addresses, including those of the tests above.
  assert.equal((await listAudit(database, { limit: 100 })).length, 60)
})

test('proxies of the client API are not trusted on this port', async () => {
  const other = await createTestAdmin({ maxRefusals: 3, settings: { POSTERN_PROXY_HOPS: '1' } })
  const codes = []
  for (let i = 0; i < 4; i++) {
    const headers = { 'x-forwarded-for': `192.0.2.${i}` }
    codes.push((await other.server.inject({ url: '/admin/v1/me', headers })).statusCode)
  }
  assert.deepEqual(codes, [401, 401, 401, 429])
  const headers = { 'x-forwarded-for': '192.0.2.9' }
  const payload = { name: 'viewer', password: 'wrong' }
  await other.server.inject({ method: 'POST', url: '/admin/v1/session', headers, payload })
  assert.equal((await listAudit(other.database, { limit: 1 }))[0]!.source, '127.0.0.1')
})

test('connections that are closed with unread responses occupy no slots', async () => {
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  let arrived = 0
  server.server.on('request', () => (arrived += 1))
  const get = (path: string): string =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.operator}\r\n\r\n`
  for (let round = 1; round <= 3; round++) {
    const socket = connect(port, '127.0.0.1').pause()
    await once(socket, 'connect')
    // The documents fill the buffers of the connection, so that the responses behind them wait.
    socket.write(get('/admin/v1/openapi.json').repeat(40) + get('/admin/v1/me').repeat(8))
    await waitFor('the requests', () => arrived === round * 48)
    socket.resetAndDestroy()
    await waitFor(
      'an answer to the same operator',
      async () => (await admin.call('operator', 'GET', '/admin/v1/me')).status === 200,
    )
  }
})

test('an operator has at most eight requests in progress; slow ones delay no other sign-in', async () => {
  const lock = await database.connect()
  try {
    await lock.query('begin')
    await lock.query('lock table accounts in access exclusive mode')
    const slow = Array.from({ length: 9 }, () => admin.call('viewer', 'GET', '/admin/v1/accounts'))
    assert.equal((await Promise.race(slow)).status, 429)
    const began = performance.now()
    assert.equal((await admin.call('admin', 'GET', '/admin/v1/me')).status, 200)
    assertWithin('the request of another operator', performance.now() - began, 10_000)
    await lock.query('rollback')
    const refused = (await Promise.all(slow)).filter(({ status }) => status === 429)
    assert.equal(refused.length, 1)
    assert.equal((await admin.call('viewer', 'GET', '/admin/v1/me')).status, 200)
  } finally {
    lock.release(true)
  }
})
