/** Silence: neither a transaction of ours that falls silent nor a server that does keeps anybody waiting for ever. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createEmptyDatabase } from '../../test/support/database.ts'
import { createProxy } from '../../test/support/proxy.ts'
import { quietLog } from '../../test/support/quiet.ts'
import { inTransaction, isDatabaseAway, isTransient, openDatabase } from './database.ts'

test('a transaction that falls silent loses its locks, and may be tried again', async () => {
  const { url, database: other } = await createEmptyDatabase()
  const silent = openDatabase(url, quietLog, { connections: 1, pauseMs: 200 })
  after(() => silent.end())
  await other.query('create table counters (id int primary key, n int)')
  await other.query('insert into counters values (1, 0)')
  const increment = 'update counters set n = n + 1 where id = 1'
  const locked = Promise.withResolvers<undefined>()
  const thawed = Promise.withResolvers<undefined>()
  const frozen = inTransaction(silent, async (transaction) => {
    await transaction.query(increment)
    locked.resolve(undefined)
    await thawed.promise
    await transaction.query(increment)
  })
  await locked.promise
  // Without the limit this would wait for ever.
  await other.query(increment)
  thawed.resolve(undefined)
  await assert.rejects(frozen, (error) => isTransient(error))
  await inTransaction(silent, (transaction) => transaction.query(increment))
  const { rows } = await other.query<{ n: number }>('select n from counters')
  assert.deepEqual(rows, [{ n: 2 }], 'nothing of the silent transaction is left')
})

test('a server that says nothing any more is given up, and asked again over another connection', async () => {
  const { url } = await createEmptyDatabase()
  const proxy = await createProxy(url)
  const distant = openDatabase(proxy.url, quietLog, { connections: 2, answerWithinMs: 300 })
  after(() => distant.end())
  await Promise.all([distant.query('select pg_sleep(0.01)'), distant.query('select pg_sleep(0.01)')])
  const transaction = inTransaction(distant, async (client) => {
    await client.query('select 1')
    proxy.mute()
    await Promise.all([
      assert.rejects(distant.query('select 2'), (error) => isTransient(error) && isDatabaseAway(error)),
      client.query('select 2'),
    ])
  })
  await assert.rejects(transaction, (error) => isTransient(error) && isDatabaseAway(error))
  // Its connections are not used again, though their answers come after all.
  proxy.unmute()
  const { rows } = await distant.query<{ answer: number }>('select 3 as answer')
  assert.deepEqual(rows, [{ answer: 3 }])
})
