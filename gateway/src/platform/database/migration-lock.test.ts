import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createEmptyDatabase } from '../../../test/support/engines/database.ts'
import { freezeDuring } from '../../../test/support/pipeline/freeze.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { isSettled, waitFor } from '../../../test/support/wait.ts'
import { openDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { withMigrationLock } from './migration-lock.ts'

const { url, database } = await createEmptyDatabase()
const other = openDatabase(url, silentLog, { connections: 2 })
addCleanup(() => other.end())
const nothing = (): Promise<void> => Promise.resolve()

async function sessionOf(client: Pick<pg.PoolClient, 'query'>): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]!.pid
}

test('the second process waits for the first', async () => {
  const done: string[] = []
  const acquired = Promise.withResolvers<undefined>()
  const mayEnd = Promise.withResolvers<undefined>()
  const first = withMigrationLock(database, async () => {
    acquired.resolve(undefined)
    await mayEnd.promise
    done.push('first')
  })
  await acquired.promise
  const second = withMigrationLock(other, () => Promise.resolve(void done.push('second')))
  await assert.rejects(withMigrationLock(other, nothing, { waitMs: 300 }))
  assert.equal(await isSettled(second), false)
  mayEnd.resolve(undefined)
  await Promise.all([first, second])
  assert.deepEqual(done, ['first', 'second'])
})

test('a process without the lock names the holding session and how to end it', async () => {
  const holderPid = Promise.withResolvers<number>()
  const mayEnd = Promise.withResolvers<undefined>()
  const holder = withMigrationLock(database, async (client) => {
    holderPid.resolve(await sessionOf(client))
    await mayEnd.promise
  })
  const pid = await holderPid.promise
  await assert.rejects(withMigrationLock(other, nothing, { waitMs: 100 }), ({ message }: Error) => {
    assert.match(
      message,
      /^migration lock not acquired within 0.1 s: session \d+ holds it \(postern \w+ from 127/,
    )
    assert.ok(message.includes(`select pg_terminate_backend(${pid})`), message)
    return true
  })
  mayEnd.resolve(undefined)
  await holder
})

test('the lock is released after work that throws, even in a failed transaction', async () => {
  const failure = new Error('the work failed')
  const failing = withMigrationLock(database, async (client) => {
    await client.query('begin')
    await assert.rejects(client.query('select 1 / 0'))
    throw failure
  })
  await assert.rejects(failing, (error) => error === failure)
  await withMigrationLock(other, nothing, { waitMs: 2_000 })
})

test('a silent holder loses its session, and the next process gets the lock', async () => {
  const mayEnd = Promise.withResolvers<undefined>()
  const silent = withMigrationLock(database, () => mayEnd.promise, { maxIdleMs: 300 })
  await withMigrationLock(other, nothing, { waitMs: 5_000 })
  mayEnd.resolve(undefined)
  await silent
})

test('a frozen migration delays the next one by at most its idle limit', async () => {
  const { url: fresh, database: next } = await createEmptyDatabase()
  // The statements: idle limit, lock, create the migrations table, read it, begin, lock limit of the first file.
  const frozen = await freezeDuring('migrate', fresh, 6)
  assert.equal(frozen.frozen, true)
  assert.notDeepEqual(await migrate(next), [])
  await waitFor('no session of the stopped process', async () => {
    const { rows } = await next.query<{ n: number }>(
      `select count(*) as n from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'`,
    )
    return rows[0]!.n === 0
  })
  frozen.kill()
})
