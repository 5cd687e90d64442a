/** Mirrors: a change is seen, the last copy is served while the database is away, stop ends the looking. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'
import { createAccount } from '../../test/support/fixtures.ts'
import { createProxy } from '../../test/support/proxy.ts'
import { atEnd } from '../../test/support/cleanup.ts'
import { quietLog } from '../../test/support/quiet.ts'
import { waitFor } from '../../test/support/wait.ts'
import { createAccountDirectory } from '../accounts/directory.ts'
import { openDatabase } from './database.ts'
import { TableCache } from './table-cache.ts'

const { database, url } = await createTestDatabase()

/** A table of one number. */
function counter(start = 1) {
  const table = { number: start, loads: 0, looks: 0, away: false }
  const source = {
    what: 'numbers',
    version: () => {
      table.looks++
      return table.away ? Promise.reject(new Error('away')) : Promise.resolve(String(table.number))
    },
    load: () => {
      table.loads++
      return Promise.resolve(table.number)
    },
  }
  return { table, mirror: new TableCache(source, quietLog) }
}

test('has no value before it is loaded, and says what is missing', () => {
  const { mirror } = counter()
  assert.equal(mirror.loaded, false)
  assert.throws(() => mirror.value, /numbers are not loaded yet/)
})

test('loads again only when the version has changed', async () => {
  const { table, mirror } = counter()
  await mirror.refresh()
  await mirror.refresh()
  assert.equal(table.loads, 1)
  table.number = 2
  await mirror.refresh()
  assert.equal(mirror.value, 2)
  assert.equal(table.loads, 2)
})

test('tells its listeners of every change, and of the value that is there already', async () => {
  const { table, mirror } = counter()
  const heard: number[] = []
  mirror.onChange((value) => heard.push(value))
  await mirror.refresh()
  mirror.onChange((value) => heard.push(value * 10))
  table.number = 2
  await mirror.refresh()
  assert.deepEqual(heard, [1, 10, 2, 20])
})

test('a listener that fails keeps no other listener from hearing of the change', async () => {
  const { mirror } = counter()
  const heard: number[] = []
  mirror.onChange(() => {
    throw new Error('a mistake')
  })
  mirror.onChange((value) => heard.push(value))
  await mirror.refresh()
  assert.deepEqual(heard, [1])
})

test('serves its last copy while the source is away and follows when it is back', async () => {
  const { table, mirror } = counter()
  await mirror.refresh()
  table.away = true
  table.number = 2
  await mirror.refresh()
  assert.equal(mirror.value, 1)
  table.away = false
  await mirror.refresh()
  assert.equal(mirror.value, 2)
})

test('looks again by itself until it is stopped', async () => {
  const { table, mirror } = counter()
  await mirror.start(1)
  table.number = 2
  await waitFor('the change', () => mirror.value === 2)
  mirror.stop()
})

test('never looks again after a stop, not even when it was looking at that moment', async () => {
  const look = Promise.withResolvers<string>()
  let looks = 0
  const source = {
    what: 'numbers',
    version: () => {
      looks++
      return look.promise
    },
    load: () => Promise.resolve(1),
  }
  const mirror = new TableCache(source, quietLog)
  const started = mirror.start(1)
  mirror.stop()
  look.resolve('1')
  await started
  await new Promise((resolve) => setTimeout(resolve, 15))
  mirror.stop()
  assert.equal(looks, 1)
})

test('accounts are served from memory while PostgreSQL is away', async () => {
  const proxy = await createProxy(url)
  const distant = openDatabase(proxy.url, quietLog, { connections: 2 })
  atEnd(() => distant.end())
  const accounts = createAccountDirectory(distant, quietLog)
  await createAccount(database, 'before')
  await accounts.start(5)
  proxy.block()
  await createAccount(database, 'meanwhile')
  await assert.rejects(distant.query('select 1'))
  assert.ok(accounts.value.byClientId.has('before'))
  proxy.unblock()
  await waitFor('the new account', () => accounts.value.byClientId.has('meanwhile'))
  accounts.stop()
})
