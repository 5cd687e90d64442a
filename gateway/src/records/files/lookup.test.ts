import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createProxy } from '../../../test/support/engines/proxy.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { openDatabase, type Database } from '../../platform/database/database.ts'
import { Problem } from '../../contract/problem.ts'
import { createFileKey, type FileMetadata } from './file.ts'
import { createFileLookup } from './lookup.ts'
import { insertPendingFile, markStored } from './queries.ts'
import { newFile } from '../../../test/support/files/test-bed.ts'
import { assertWithin } from '../../../test/support/wait.ts'

const { database, url } = await createTestDatabase()
const proxy = await createProxy(url)
const proxied = openDatabase(proxy.url, silentLog, { connections: 2 })
addCleanup(() => proxied.end())

async function storedFile(overrides: Partial<FileMetadata> = {}): Promise<FileMetadata> {
  const file = newFile(overrides)
  await insertPendingFile(database, file, file.expiresAt)
  await markStored(database, file.key, file.expiresAt)
  return file
}

function countQueries(): { readonly database: Database; queries: number } {
  const counter = { database, queries: 0 }
  counter.database = new Proxy(database, {
    get(target, name) {
      if (name === 'query') counter.queries++
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value
    },
  })
  return counter
}

test('finds a file with all its metadata', async () => {
  const file = await storedFile({ serviceType: 'BRANDMESSAGE', kind: 'wideItemList/first', format: 'png' })
  assert.deepEqual(await createFileLookup(database).find(file.key), file)
})

test('returns null for a file that does not exist or is not stored yet', async () => {
  const lookup = createFileLookup(database)
  const pending = newFile()
  await insertPendingFile(database, pending, pending.expiresAt)
  for (const key of ['', 'x', createFileKey(new Date()), pending.key]) {
    assert.equal(await lookup.find(key), null)
  }
})

test('finds a known file while PostgreSQL is unavailable', async () => {
  const lookup = createFileLookup(proxied)
  const [cached, uploaded] = [await storedFile(), newFile()]
  await lookup.find(cached.key)
  lookup.remember(uploaded)
  proxy.block()
  try {
    assert.deepEqual(await lookup.find(cached.key), cached)
    assert.deepEqual(await lookup.find(uploaded.key), uploaded)
    await assert.rejects(lookup.find(createFileKey(new Date())))
  } finally {
    proxy.unblock()
  }
})

test('refuses an uncached file with A920 while PostgreSQL does not respond', async () => {
  const lookup = createFileLookup(proxied, { timeoutMs: 50 })
  const file = await storedFile()
  proxy.mute()
  const before = performance.now()
  try {
    await assert.rejects(
      lookup.find(file.key),
      (error) => error instanceof Problem && error.code === 'A920' && error.retryAfterSeconds === 1,
    )
    assertWithin('the refusal', performance.now() - before, 5_000)
  } finally {
    proxy.unmute()
  }
  assert.deepEqual(await createFileLookup(proxied).find(file.key), file)
})

test('many sends with the same file query PostgreSQL once, whether it exists or not', async () => {
  const counter = countQueries()
  const lookup = createFileLookup(counter.database)
  const file = await storedFile()
  for (const [key, expected] of [
    [file.key, file],
    [createFileKey(new Date()), null],
  ] as const) {
    counter.queries = 0
    const found = await Promise.all(Array.from({ length: 20 }, () => lookup.find(key)))
    for (const file of [...found, await lookup.find(key)]) assert.deepEqual(file, expected)
    assert.equal(counter.queries, 1)
  }
})

test('a full cache evicts the file that was used least recently', async () => {
  const counter = countQueries()
  const lookup = createFileLookup(counter.database, { capacity: 2 })
  const [a, b, c] = [await storedFile(), await storedFile(), await storedFile()]
  for (const { key } of [a, b, a, c]) await lookup.find(key)
  counter.queries = 0
  const isRead = async ({ key }: FileMetadata): Promise<boolean> => {
    const before = counter.queries
    await lookup.find(key)
    return counter.queries > before
  }
  assert.deepEqual([await isRead(a), await isRead(c), await isRead(b)], [false, false, true])
})
