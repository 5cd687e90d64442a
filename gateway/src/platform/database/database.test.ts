import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createEmptyDatabase } from '../../../test/support/engines/database.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import {
  inTransaction,
  isDuplicateKey,
  isMissingPartition,
  isRolledBack,
  openDatabase,
  sendWithCommit,
  type Transaction,
} from './database.ts'
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

suite('a transaction whose last writes travel with the commit', async () => {
  const { database, url } = await createEmptyDatabase()
  await database.query('create table numbers (n int primary key)')
  const insert = (transaction: Transaction, n: number) =>
    transaction.query('insert into numbers values ($1)', [n])
  const stored = async (): Promise<number[]> =>
    (await database.query<{ n: number }>('select n from numbers order by n')).rows.map(({ n }) => n)

  test('commits all of them', async () => {
    await inTransaction(database, (transaction) =>
      sendWithCommit(transaction, insert(transaction, 1), insert(transaction, 2)),
    )
    assert.deepEqual(await stored(), [1, 2])
  })

  test('commits none after a failed one, and throws the first error', async () => {
    const failing = inTransaction(database, (transaction) =>
      sendWithCommit(transaction, insert(transaction, 3), insert(transaction, 1), insert(transaction, 4)),
    )
    await assert.rejects(failing, (error) => isDuplicateKey(error) && isRolledBack(error))
    assert.deepEqual(await stored(), [1, 2])
  })

  test('fails if the error of a statement was not thrown', async () => {
    const hiding = inTransaction(database, async (transaction) => {
      await insert(transaction, 1).catch(() => undefined)
      await sendWithCommit(transaction)
    })
    await assert.rejects(hiding, { code: 'ERR_ASSERTION' })
  })

  test('returns its connection when no statement is on its way', async () => {
    const single = openDatabase(url, silentLog, { connections: 1 })
    after(() => single.end())
    const began = performance.now()
    const failing = inTransaction(single, (transaction) => {
      void sendWithCommit(transaction, transaction.query('select pg_sleep(0.3)'))
      return Promise.reject(new Error('refused'))
    })
    await assert.rejects(failing, /refused/)
    assert.ok(performance.now() - began >= 300)
    assert.equal((await single.query('select 1 as one')).rowCount, 1)
  })
})

suite('errors of a server with Korean messages', () => {
  test('are recognized by their codes', async () => {
    const { database } = await createEmptyDatabase()
    await database.query(`
      create table days (day date, id int check (id > 0), primary key (day, id)) partition by range (day);
      create table days_2026 partition of days for values from ('2026-01-01') to ('2027-01-01')`)
    const failureOf = (values: string): Promise<unknown> =>
      database.query(`insert into days values ${values}`).then(
        () => assert.fail('it must fail'),
        (error: unknown) => error,
      )
    const noPartition = await failureOf(`('2027-01-01', 1)`)
    const violatedCheck = await failureOf(`('2026-01-01', 0)`)
    const duplicate = await failureOf(`('2026-01-01', 1), ('2026-01-01', 1)`)
    const errors = [noPartition, violatedCheck, duplicate]
    assert.deepEqual(errors.map(isMissingPartition), [true, false, false])
    assert.deepEqual(errors.map(isDuplicateKey), [false, false, true])
    const { rows } = await database.query<{ locale: string }>(
      `select current_setting('lc_messages') as locale`,
    )
    if (rows[0]!.locale.startsWith('ko'))
      for (const error of errors)
        assert.match(String(error), /[가-힣]/, 'the catalogue of PostgreSQL is missing')
  })

  test('say whether a transaction is rolled back', async () => {
    const { database } = await createEmptyDatabase()
    await database.query(`
      create table numbers (n int unique deferrable initially deferred);
      insert into numbers values (1)`)
    const failureOf = (work: (transaction: Transaction) => Promise<unknown>): Promise<unknown> =>
      inTransaction(database, work).then(
        () => assert.fail('it must fail'),
        (error: unknown) => error,
      )
    const failedStatement = await failureOf((transaction) => transaction.query(`select 'x'::int`))
    const failedCommit = await failureOf((transaction) => transaction.query('insert into numbers values (1)'))
    const lostSession = await failureOf((transaction) =>
      transaction.query('select pg_terminate_backend(pg_backend_pid())'),
    )
    const ownError = await failureOf(() => Promise.reject(new Error('timeout')))
    const errors = [failedStatement, failedCommit, lostSession, ownError]
    assert.deepEqual(errors.map(isRolledBack), [true, true, false, false])
  })
})
