/** Work under an advisory lock: one at a time, and the lock never outlives the work, whatever happens to its session. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { atEnd } from '../../test/support/cleanup.ts'
import { createEmptyDatabase } from '../../test/support/database.ts'
import { createProxy } from '../../test/support/proxy.ts'
import { quietLog } from '../../test/support/quiet.ts'
import { waitFor } from '../../test/support/wait.ts'
import { tryWithAdvisoryLock, withAdvisoryLock } from './advisory-lock.ts'
import { openDatabase } from './database.ts'

const lockKey = 0x74727931
const { url, database: other } = await createEmptyDatabase()
// One connection, so that the next work gets the session of the previous one if that was returned to the pool.
const database = openDatabase(url, quietLog, { connections: 1 })
atEnd(() => database.end())

async function sessionOf(client: Pick<pg.PoolClient, 'query'>): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]!.pid
}

async function locks(granted: boolean): Promise<number> {
  const { rows } = await other.query<{ n: number }>(
    `select count(*) as n from pg_locks
      where locktype = 'advisory' and objid = $1 and granted = $2
        and database = (select oid from pg_database where datname = current_database())`,
    [lockKey, granted],
  )
  return rows[0]!.n
}

test('never two at a time: when the lock is taken, tryWithAdvisoryLock does nothing and withAdvisoryLock waits', async () => {
  const done: string[] = []
  const mayEnd = Promise.withResolvers<undefined>()
  const first = withAdvisoryLock(database, lockKey, async () => {
    await mayEnd.promise
    done.push('first')
  })
  await waitFor('the lock to be taken', async () => (await locks(true)) === 1)
  const note = (who: string) => () => Promise.resolve(void done.push(who))
  assert.equal(await tryWithAdvisoryLock(other, lockKey, note('skipped')), false)
  const waiter = withAdvisoryLock(other, lockKey, note('waiter'))
  await waitFor('a waiter', async () => (await locks(false)) === 1)
  mayEnd.resolve(undefined)
  await Promise.all([first, waiter])
  assert.equal(await tryWithAdvisoryLock(other, lockKey, note('last')), true)
  assert.deepEqual(done, ['first', 'waiter', 'last'])
  assert.equal(await locks(true), 0)
})

for (const [name, run] of Object.entries({ withAdvisoryLock, tryWithAdvisoryLock })) {
  test(`${name} unlocks when the work throws, also in the middle of a transaction`, async () => {
    const failure = new Error('the work failed')
    const session = await sessionOf(database)
    const failing = run(database, lockKey, async (client) => {
      await client.query('begin')
      await assert.rejects(client.query('select 1 / 0'))
      throw failure
    })
    await assert.rejects(failing, (error) => error === failure)
    assert.equal(await locks(true), 0)
    assert.equal(await sessionOf(database), session, 'a working session is reused')
  })
}

test('a session that cannot be unlocked is closed, and its lock with it', async () => {
  const session = await sessionOf(database)
  await tryWithAdvisoryLock(database, lockKey, async (client) => {
    // An open, failed transaction refuses every statement, although the connection works.
    await client.query('begin')
    await assert.rejects(client.query('select 1 / 0'))
  })
  assert.notEqual(await sessionOf(database), session)
  await waitFor('the lock to be free', async () => (await locks(true)) === 0)
})

test('a broken connection is not returned to the pool, and the caller gets the error of the work', async () => {
  let session = 0
  let failure: unknown
  const broken = tryWithAdvisoryLock(database, lockKey, async (client) => {
    session = await sessionOf(client)
    await other.query('select pg_terminate_backend($1)', [session])
    failure = await client.query('select 1').catch((error: unknown) => error)
    throw failure
  })
  await assert.rejects(broken, (error) => error === failure && error instanceof Error)
  assert.equal(database.totalCount, 0)
  assert.notEqual(await sessionOf(database), session)
  assert.equal(await tryWithAdvisoryLock(other, lockKey, () => Promise.resolve()), true)
})

test('a waiter that loses its session does not keep the lock', async () => {
  const proxy = await createProxy(url)
  const distant = openDatabase(proxy.url, quietLog, { connections: 1 })
  atEnd(() => distant.end())
  const mayEnd = Promise.withResolvers<undefined>()
  const holder = withAdvisoryLock(database, lockKey, () => mayEnd.promise)
  await waitFor('the lock to be taken', async () => (await locks(true)) === 1)
  const waiter = withAdvisoryLock(distant, lockKey, () => Promise.resolve())
  await waitFor('a waiter', async () => (await locks(false)) === 1)
  proxy.cut()
  await assert.rejects(waiter)
  mayEnd.resolve(undefined)
  await holder
  await waitFor('the lock to be free', async () => (await locks(true)) + (await locks(false)) === 0)
  assert.equal(await tryWithAdvisoryLock(distant, lockKey, () => Promise.resolve()), true)
})
