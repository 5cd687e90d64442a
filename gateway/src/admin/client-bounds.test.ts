/** Concurrent work of clients is limited, so that it delays neither operators nor other clients. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { addTestOperator, createTestAdmin } from '../../test/support/http/admin.ts'
import { enrol } from '../../test/support/http/browser.ts'
import { addCleanup } from '../../test/support/cleanup.ts'
import { createAccount } from '../../test/support/fixtures.ts'
import { waitFor } from '../../test/support/wait.ts'
import { insertTestWebhook } from '../../test/load/webhooks/insert.ts'
import { openReceiver } from '../../test/load/webhooks/receiver.ts'
import { ClientBounds, maxInTurn, type ClientWork } from './client-bounds.ts'

const account = (id: number) => ({ id, clientId: `shop-${id}` })
const nothing = (): Promise<undefined> => Promise.resolve(undefined)

/** Number of accounts that can do such work at a time. */
const maxAccounts: Readonly<Record<ClientWork, number>> = { change: 2, push: 4 }

for (const kind of ['change', 'push'] as const)
  test(`an account has one ${kind} in progress, and all together ${maxAccounts[kind]}`, async () => {
    const bounds = new ClientBounds()
    const end = Promise.withResolvers<undefined>()
    const running = Array.from({ length: maxAccounts[kind] }, (_, id) =>
      bounds.during(kind, account(id), () => end.promise),
    )
    await assert.rejects(bounds.during(kind, account(0), nothing), /another .* of account 'shop-0'/)
    await assert.rejects(bounds.during(kind, account(9), nothing), /other requests of this kind/)
    // The other kind has separate slots.
    await bounds.during(kind === 'change' ? 'push' : 'change', account(0), nothing)
    end.resolve(undefined)
    await Promise.all(running)
    await bounds.during(kind, account(9), nothing)
  })

test('queued work runs in order, even after a failure, and waits for no other account', async () => {
  const bounds = new ClientBounds()
  const end = Promise.withResolvers<undefined>()
  const order: string[] = []
  const failing = bounds.inTurn('read', account(1), async () => {
    await end.promise
    order.push('first')
    throw new Error('the search failed')
  })
  const waiting = ['second', 'third'].map((name) =>
    bounds.inTurn('read', account(1), () => Promise.resolve(void order.push(name))),
  )
  await bounds.inTurn('read', account(2), nothing)
  await bounds.inTurn('sign-out', account(1), nothing)
  assert.deepEqual(order, [])
  end.resolve(undefined)
  await assert.rejects(failing, /the search failed/)
  await Promise.all(waiting)
  assert.deepEqual(order, ['first', 'second', 'third'])
})

for (const kind of ['read', 'sign-out'] as const)
  test(`${maxInTurn} accounts have a ${kind} in progress; waiting work occupies no slot of others`, async () => {
    const bounds = new ClientBounds()
    const end = Promise.withResolvers<undefined>()
    const slow = (id: number): Promise<undefined> => bounds.inTurn(kind, account(id), () => end.promise)
    const running = Array.from({ length: maxInTurn - 1 }, (_, id) => [slow(id), slow(id)]).flat()
    await bounds.inTurn(kind, account(50), nothing)
    running.push(slow(51))
    await assert.rejects(bounds.inTurn(kind, account(50), nothing), { code: 'unavailable' })
    await bounds.inTurn(kind === 'read' ? 'sign-out' : 'read', account(50), nothing)
    end.resolve(undefined)
    await Promise.all(running)
    await bounds.inTurn(kind, account(50), nothing)
  })

test('an operator of a client ends at most thirty sessions per minute; colleagues can sign out', () => {
  const bounds = new ClientBounds()
  for (let nth = 0; nth < 30; nth += 1) bounds.countSignOut('park')
  assert.throws(() => bounds.countSignOut('park'), /at most 30 per minute/)
  bounds.countSignOut('lim')
})

test('an account makes at most thirty changes per minute', () => {
  const bounds = new ClientBounds()
  for (let nth = 0; nth < 30; nth += 1) bounds.count(account(1))
  assert.throws(() => bounds.count(account(1)), /at most 30 per minute/)
  bounds.count(account(2))
})

interface Client {
  readonly clientId: string
  readonly key: string
  readonly webhookId: string
}

test('webhook receivers that never respond block neither other changes nor signing out', async () => {
  const admin = await createTestAdmin({ settings: { POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' } })
  const { database, server, callWith } = admin
  const receiver = await openReceiver(() => null)
  addCleanup(() => receiver.close())
  const clients: Client[] = []
  for (const clientId of ['first', 'second', 'third', 'fourth', 'fifth']) {
    const accountId = await createAccount(database, clientId)
    const key = await addTestOperator(database, clientId, 'client', accountId)
    const webhookId = await insertTestWebhook(database, accountId, { url: receiver.url, timeoutSeconds: 3 })
    clients.push({ clientId, key, webhookId })
  }
  const testWebhook = ({ key, webhookId }: Client) =>
    callWith(key, 'POST', `/admin/v1/webhooks/${webhookId}/test`, {})
  const addKey = ({ key, clientId }: Client) =>
    callWith(key, 'POST', `/admin/v1/accounts/${clientId}/credentials`, { name: 'server' })
  const [first, , , , fifth] = clients
  const { browser } = await enrol(database, server, 'first')
  const running = clients.slice(0, 4).map(testWebhook)
  await waitFor('four tests', () => receiver.arrivals.length === 4)
  assert.equal((await testWebhook(first!)).body.code, 'too-many-requests')
  assert.equal((await testWebhook(fifth!)).body.code, 'too-many-requests')
  assert.equal((await addKey(first!)).status, 200)
  assert.equal((await addKey(fifth!)).status, 200)
  assert.equal((await browser.call('DELETE', '/admin/v1/session')).status, 200)
  // The running tests occupy none of the slots for changes of operators.
  const byOperator = await Promise.all(
    ['one', 'two', 'three', 'four'].map((name) =>
      admin.call('admin', 'POST', '/admin/v1/accounts/first/credentials', { name }),
    ),
  )
  assert.deepEqual(
    byOperator.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  for (const { status, body } of await Promise.all(running)) assert.equal(status, 200, JSON.stringify(body))
  receiver.answer = () => undefined
  assert.equal((await testWebhook(fifth!)).status, 200)
})

test('slow reads of one account do not block other clients; sign-outs use one connection', async () => {
  const admin = await createTestAdmin({ maxRefusals: 30 })
  const { database, callWith } = admin
  const keys: string[] = []
  for (const clientId of ['first', 'second']) {
    const accountId = await createAccount(database, clientId)
    keys.push(await addTestOperator(database, clientId, 'client', accountId))
  }
  const [first, second] = keys
  const lock = await database.connect()
  try {
    await lock.query('begin')
    await lock.query('lock table webhooks, operator_sessions in access exclusive mode')
    let ended = 0
    const slow = Array.from({ length: 4 }, () =>
      callWith(first, 'GET', '/admin/v1/webhooks').finally(() => (ended += 1)),
    )
    const signOuts = Array.from({ length: 4 }, (_, id) =>
      callWith(first, 'DELETE', `/admin/v1/sessions/${id}`),
    )
    const waiting = async (text: string): Promise<number> => {
      const found = await database.query<{ query: string }>(
        `select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return found.rows.filter(({ query }) => query.includes(text)).length
    }
    await waitFor('both kinds', async () => (await waiting('webhooks')) + (await waiting('sessions')) >= 2)
    assert.equal((await callWith(second, 'GET', '/admin/v1/senders')).status, 200)
    // The sign-out did not wait for all slow reads, each of which ends with its time limit.
    assert.ok(ended < 3, String(ended))
    for (const table of ['webhooks', 'sessions']) assert.ok((await waiting(table)) <= 1, table)
    await lock.query('rollback')
    await Promise.all([...slow, ...signOuts])
  } finally {
    lock.release(true)
  }
  let last = 0
  for (let nth = 0; nth < 30 && last !== 429; nth += 1)
    last = (await callWith(first, 'DELETE', '/admin/v1/sessions/0')).status
  assert.equal(last, 429)
})

test('queued reads of four accounts do not block other clients', async () => {
  const { database, callWith } = await createTestAdmin()
  const keys: string[] = []
  for (const clientId of ['first', 'second', 'third', 'fourth', 'fifth'])
    keys.push(await addTestOperator(database, clientId, 'client', await createAccount(database, clientId)))
  const lock = await database.connect()
  try {
    await lock.query('begin')
    await lock.query('lock table webhooks in access exclusive mode')
    const slow: Promise<unknown>[] = []
    for (const key of keys.slice(0, 4)) {
      const reads = Array.from({ length: 9 }, () => callWith(key, 'GET', '/admin/v1/webhooks'))
      slow.push(...reads)
      // The ninth request is refused: eight are in progress.
      await Promise.any(reads.map(async (read) => assert.equal((await read).status, 429)))
    }
    const { status, body } = await callWith(keys[4], 'GET', '/admin/v1/me')
    assert.equal(status, 200, JSON.stringify(body))
    await lock.query('rollback')
    await Promise.all(slow)
  } finally {
    lock.release(true)
  }
})

test('unread responses of clients do not block reads of other clients', async () => {
  const { database, server, callWith } = await createTestAdmin()
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  let arrived = 0
  server.server.on('request', () => (arrived += 1))
  const keys: string[] = []
  for (const clientId of ['first', 'second', 'third', 'fourth', 'fifth'])
    keys.push(await addTestOperator(database, clientId, 'client', await createAccount(database, clientId)))
  for (const key of keys.slice(0, 4)) {
    const socket = connect(port, '127.0.0.1').pause()
    addCleanup(() => void socket.destroy())
    await once(socket, 'connect')
    const get = (path: string): string =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`
    // The documents fill the buffers of the connection, so that the responses behind them wait.
    const requests = get('/admin/v1/me').repeat(6) + get('/admin/v1/accounts/none').repeat(6)
    const before = arrived
    socket.write(get('/admin/v1/openapi.json').repeat(40) + requests)
    await waitFor('the requests', () => arrived === before + 52)
    // The unread responses block the account itself.
    await waitFor(
      'a refusal',
      async () => (await callWith(key, 'GET', '/admin/v1/me')).body.code === 'too-many-requests',
    )
  }
  assert.equal((await callWith(keys[4], 'GET', '/admin/v1/me')).status, 200)
})
