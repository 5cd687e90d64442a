import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createEmptyDatabase } from '../../../test/support/engines/database.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { inTransaction, openDatabase } from './database.ts'
import { isTransient } from './transient.ts'

test('a transaction that idles too long loses its locks and can be retried', async () => {
  const { url, database: other } = await createEmptyDatabase()
  const idle = openDatabase(url, silentLog, { connections: 1, idleMs: 200 })
  after(() => idle.end())
  await other.query('create table counters (id int primary key, n int)')
  await other.query('insert into counters values (1, 0)')
  const increment = 'update counters set n = n + 1 where id = 1'
  const locked = Promise.withResolvers<undefined>()
  const thawed = Promise.withResolvers<undefined>()
  const frozen = inTransaction(idle, async (transaction) => {
    await transaction.query(increment)
    locked.resolve(undefined)
    await thawed.promise
    await transaction.query(increment)
  })
  await locked.promise
  // Without the limit this would wait forever.
  await other.query(increment)
  thawed.resolve(undefined)
  await assert.rejects(frozen, (error) => isTransient(error))
  await inTransaction(idle, (transaction) => transaction.query(increment))
  const { rows } = await other.query<{ n: number }>('select n from counters')
  assert.deepEqual(rows, [{ n: 2 }], 'the idle transaction was rolled back')
})

test('the server detects a lost client host within half a minute', async () => {
  const { url } = await createEmptyDatabase()
  const database = openDatabase(url, silentLog, { connections: 1 })
  after(() => database.end())
  const setting = async (name: string): Promise<number> => {
    const { rows } = await database.query<{ value: string }>('select current_setting($1) as value', [name])
    return parseInt(rows[0]!.value)
  }
  const seconds =
    (await setting('tcp_keepalives_idle')) +
    (await setting('tcp_keepalives_interval')) * (await setting('tcp_keepalives_count'))
  assert.ok(seconds > 0 && seconds <= 30, `${seconds} s`)
  const unacknowledgedMs = await setting('tcp_user_timeout')
  assert.ok(unacknowledgedMs > 0 && unacknowledgedMs <= 30_000, `${unacknowledgedMs} ms`)
})

test('a stale prepared statement fails once and its connection is closed', async () => {
  const { database: empty } = await createEmptyDatabase()
  await empty.query('create table numbers (id int, n int)')
  const read = (): Promise<unknown> =>
    inTransaction(empty, (client) =>
      client.query({ name: 'read-number', text: 'select id, n from numbers where id = $1', values: [1] }),
    )
  await read()
  await empty.query('alter table numbers alter column n type bigint')
  await assert.rejects(read(), { code: '0A000' })
  await read()
})

test('an unrelated error keeps the connection', async () => {
  const { database: empty } = await createEmptyDatabase()
  const pid = (): Promise<unknown> =>
    inTransaction(
      empty,
      async (client) => (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows,
    )
  const before = await pid()
  await assert.rejects(
    inTransaction(empty, (client) => client.query(`select 'x'::int`)),
    { code: '22P02' },
  )
  assert.deepEqual(await pid(), before)
})
