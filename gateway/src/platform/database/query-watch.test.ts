import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createEmptyDatabase } from '../../../test/support/engines/database.ts'
import { createProxy } from '../../../test/support/engines/proxy.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { assertWithin, isSettled, waitFor } from '../../../test/support/wait.ts'
import { BulkClient } from './bulk-client.ts'
import { inTransaction, openDatabase, type Database } from './database.ts'
import { QueryWatch } from './query-watch.ts'
import { isTransient } from './transient.ts'

const { url, database: other } = await createEmptyDatabase()
await other.query('create table counters (id int primary key, n int)')
await other.query('insert into counters values (1, 0), (2, 0)')

function open(at: string): Database {
  const database = openDatabase(at, silentLog, { connections: 2, silentMs: 500 })
  addCleanup(() => database.end())
  return database
}

test('a statement on a silent connection fails with a transient error, and the pool recovers', async () => {
  const proxy = await createProxy(url)
  const database = open(proxy.url)
  await database.query('select 1')
  proxy.mute()
  const started = performance.now()
  await assert.rejects(database.query('select 2'), (error) => isTransient(error))
  assertWithin('the failure', performance.now() - started, 6_000)
  proxy.unmute()
  assert.equal((await database.query<{ n: number }>('select 3 as n')).rows[0]!.n, 3)
})

const noFreeConnection = Buffer.from('E\0\0\0\x25SFATAL\0C53300\0Mtoo many clients\0\0')
const passwordRequest = Buffer.from('R\0\0\0\x08\0\0\0\x03')

for (const [condition, response] of [
  ['has no free connection', noFreeConnection],
  ['is slow to authenticate', passwordRequest],
] as const)
  test(`a statement without a response is kept while the server ${condition}`, async () => {
    let probes = 0
    const overloaded = createServer((socket) => {
      probes++
      socket.on('error', () => undefined)
      socket.once('data', () => socket.write(response))
    }).listen(0, '127.0.0.1')
    await once(overloaded, 'listening')
    addCleanup(() => overloaded.close())
    const { port } = overloaded.address() as AddressInfo
    const proxy = await createProxy(url)
    const client = new BulkClient({ connectionString: proxy.url })
    await client.connect()
    addCleanup(() => client.end())
    const link = { connectionString: `postgres://user:password@127.0.0.1:${port}/database` }
    const watch = new QueryWatch({ link, silentMs: 500, log: silentLog })
    watch.add(client)
    addCleanup(() => watch.remove(client))
    proxy.mute()
    const querying = client.query<{ n: number }>('select 1 as n')
    await Promise.race([querying, waitFor('two probes', () => probes > 1)])
    proxy.unmute()
    assert.equal((await querying).rows[0]!.n, 1)
  })

test('a statement on a replaced server fails although the new server responds', async () => {
  const proxy = await createProxy(url)
  const database = open(proxy.url)
  await database.query('select 1')
  proxy.muteOpen()
  const querying = database.query('update counters set n = n + 1 where id = 2')
  await waitFor('the statement', async () => {
    const { rows } = await other.query<{ n: number }>('select n from counters where id = 2')
    return rows[0]!.n === 1
  })
  await assert.rejects(querying, { code: 'ETIMEDOUT' })
  assert.equal((await database.query('select 1')).rowCount, 1)
})

test('a transaction on a silent connection fails and releases the connection', async () => {
  const proxy = await createProxy(url)
  const database = open(proxy.url)
  const failing = inTransaction(database, async (transaction) => {
    await transaction.query('select 1')
    proxy.mute()
    await transaction.query('select 2')
  })
  await assert.rejects(failing, (error) => isTransient(error))
  assert.equal(database.totalCount, 0)
})

test('a statement that waits for a lock or computes for long is kept', async () => {
  const database = open(url)
  const sleeping = database.query('select pg_sleep(2.5)')
  const waiting = await inTransaction(other, async (transaction) => {
    await transaction.query('update counters set n = 10 where id = 1')
    const blocked = database.query('update counters set n = n + 1 where id = 1')
    await sleeping
    assert.equal(await isSettled(blocked), false)
    return { blocked }
  })
  await waiting.blocked
  const { rows } = await other.query<{ n: number }>('select n from counters where id = 1')
  assert.equal(rows[0]!.n, 11)
})
