import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { createProxy } from '../../../test/support/engines/proxy.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { assertWithin, isSettled, waitFor } from '../../../test/support/wait.ts'
import { createAccountDirectory } from '../../identity/accounts/directory.ts'
import { openDatabase } from './database.ts'
import type { Log } from '../logging/log.ts'
import { NotLoaded, TableCache } from './table-cache.ts'
import { isTransient } from './transient.ts'

const { database, url } = await createTestDatabase()

/** A table of one number. */
function counter(start = 1) {
  const table = { number: start, loads: 0, checks: 0, unavailable: false }
  const source = {
    what: 'numbers',
    version: () => {
      table.checks++
      return table.unavailable
        ? Promise.reject(new Error('unavailable'))
        : Promise.resolve(String(table.number))
    },
    load: () => {
      table.loads++
      return Promise.resolve(table.number)
    },
  }
  return { table, source, cache: new TableCache(source, silentLog) }
}

test('has no value before the first load and names the missing table', () => {
  const { cache } = counter()
  assert.equal(cache.loaded, false)
  assert.throws(() => cache.value, /numbers are not loaded yet/)
})

test('a missing value is a transient error', () => {
  const { cache } = counter()
  assert.throws(
    () => cache.value,
    (error) => error instanceof NotLoaded && isTransient(error),
  )
})

test('reports the time since the first failed refresh', async () => {
  const { table, cache } = counter()
  assert.equal(cache.failingMs, 0)
  await cache.refresh()
  assert.equal(cache.failingMs, 0)
  table.unavailable = true
  const before = performance.now()
  await cache.refresh()
  await cache.refresh()
  await waitFor('it to be failing', () => cache.failingMs > 10)
  assert.ok(cache.failingMs <= performance.now() - before)
  table.unavailable = false
  await cache.refresh()
  assert.equal(cache.failingMs, 0)
})

test('a start that needs the table waits until it is loaded and logs the reason', async () => {
  const { table, source } = counter()
  const lines: string[] = []
  const warn = (_fields: object, text: string): number => lines.push(text)
  const log = Object.assign(Object.create(silentLog) as Log, { warn })
  const cache = new TableCache(source, log)
  addCleanup(() => cache.stop())
  table.unavailable = true
  let loaded = false
  const started = cache.startLoaded(new AbortController().signal, 20).then(() => {
    loaded = true
  })
  await waitFor('a repeated load', () => lines.length === 2)
  assert.equal(loaded, false)
  table.unavailable = false
  await started
  assert.equal(cache.value, 1)
  assert.deepEqual(lines, ['cannot load numbers; retrying', 'loading numbers failed; retrying'])
})

test('a start that waits for the table ends on a stop', async () => {
  const { table, cache } = counter()
  addCleanup(() => cache.stop())
  table.unavailable = true
  const stopping = new AbortController()
  const started = cache.startLoaded(stopping.signal, 20)
  stopping.abort()
  await assert.rejects(started, { name: 'ProcessStopping' })
})

test('reloads only after a change of the version', async () => {
  const { table, cache } = counter()
  await cache.refresh()
  await cache.refresh()
  assert.equal(table.loads, 1)
  table.number = 2
  await cache.refresh()
  assert.equal(cache.value, 2)
  assert.equal(table.loads, 2)
})

test('calls its listeners for every change, and immediately for a loaded value', async () => {
  const { table, cache } = counter()
  const received: number[] = []
  cache.onChange((value) => received.push(value))
  await cache.refresh()
  cache.onChange((value) => received.push(value * 10))
  table.number = 2
  await cache.refresh()
  assert.deepEqual(received, [1, 10, 2, 20])
})

test('a throwing listener does not prevent the others from being called', async () => {
  const { cache } = counter()
  const received: number[] = []
  cache.onChange(() => {
    throw new Error('a bug')
  })
  cache.onChange((value) => received.push(value))
  await cache.refresh()
  assert.deepEqual(received, [1])
})

test('serves the last copy while the source is unavailable, and refreshes after its recovery', async () => {
  const { table, cache } = counter()
  await cache.refresh()
  table.unavailable = true
  table.number = 2
  await cache.refresh()
  assert.equal(cache.value, 1)
  table.unavailable = false
  await cache.refresh()
  assert.equal(cache.value, 2)
})

test('polls automatically until it is stopped', async () => {
  const { table, cache } = counter()
  await cache.start(1)
  table.number = 2
  await waitFor('the change', () => cache.value === 2)
  cache.stop()
})

test('never polls after a stop, even during a check', async () => {
  const check = Promise.withResolvers<string>()
  let checks = 0
  const source = {
    what: 'numbers',
    version: () => {
      checks++
      return check.promise
    },
    load: () => Promise.resolve(1),
  }
  const cache = new TableCache(source, silentLog)
  const started = cache.start(1)
  cache.stop()
  check.resolve('1')
  await started
  await new Promise((resolve) => setTimeout(resolve, 15))
  cache.stop()
  assert.equal(checks, 1)
})

test('an early refresh sees a change; later ones share the next within 250 ms', async () => {
  const { table, cache } = counter()
  await cache.refresh()
  table.number = 2
  const began = performance.now()
  assert.ok(await isSettled(cache.refreshEarly()), 'it waits for no timer')
  assert.equal(cache.value, 2)
  const { checks } = table
  table.number = 3
  await Promise.all(Array.from({ length: 100 }, () => cache.refreshEarly()))
  assert.deepEqual([cache.value, table.checks], [3, checks + 1])
  assert.ok(performance.now() - began > 240)
})

test('an early refresh begins after the call', async () => {
  const reads: PromiseWithResolvers<string>[] = []
  const source = {
    what: 'numbers',
    version: () => {
      const read = Promise.withResolvers<string>()
      reads.push(read)
      return read.promise
    },
    load: () => Promise.resolve(reads.length),
  }
  const cache = new TableCache(source, silentLog)
  const first = cache.refreshEarly(5_000)
  await waitFor('the first read', () => reads.length === 1)
  const second = cache.refreshEarly(5_000)
  reads[0]!.resolve('1')
  await first
  assert.equal(cache.value, 1)
  await waitFor('the second read', () => reads.length === 2)
  reads[1]!.resolve('2')
  await second
  assert.equal(cache.value, 2)
})

test('at most one early refresh waits for a hanging source', async () => {
  const { table, cache } = counter()
  await cache.refresh()
  const response = Promise.withResolvers<string>()
  const hanging = new TableCache(
    {
      what: 'numbers',
      version: () => {
        table.checks++
        return response.promise
      },
      load: () => Promise.resolve(1),
    },
    silentLog,
  )
  const { checks } = table
  for (let n = 0; n < 4; n++) await hanging.refreshEarly(260)
  response.resolve('1')
  await hanging.refresh()
  await new Promise((resolve) => setTimeout(resolve, 20))
  // The hanging one, one early refresh after it, and the one above.
  assert.equal(table.checks - checks, 3)
})

test('an early refresh does not wait for a hanging source', async () => {
  const source = {
    what: 'numbers',
    version: () => new Promise<string>(() => {}),
    load: () => Promise.resolve(1),
  }
  const cache = new TableCache(source, silentLog)
  const began = performance.now()
  await cache.refreshEarly(20)
  assertWithin('the early refresh', performance.now() - began, 2_000)
})

test('a slow old load does not replace a newer value', async () => {
  const loads: PromiseWithResolvers<number>[] = []
  let version = 1
  const source = {
    what: 'numbers',
    version: () => Promise.resolve(String(version)),
    load: () => {
      const load = Promise.withResolvers<number>()
      loads.push(load)
      return load.promise
    },
  }
  const cache = new TableCache(source, silentLog)
  const slow = cache.refresh()
  await waitFor('the first load', () => loads.length === 1)
  version = 2
  const early = cache.refreshEarly()
  loads[0]!.resolve(1)
  await slow
  await waitFor('the second load', () => loads.length === 2)
  loads[1]!.resolve(2)
  await early
  assert.equal(cache.value, 2)
})

test('accounts are served from memory while PostgreSQL is unavailable', async () => {
  const proxy = await createProxy(url)
  const distant = openDatabase(proxy.url, silentLog, { connections: 2 })
  addCleanup(() => distant.end())
  const accounts = createAccountDirectory(distant, silentLog)
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
