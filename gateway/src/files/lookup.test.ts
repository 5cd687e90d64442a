/** Sends find their files without PostgreSQL when they were found before, and never wait long for it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd } from '../../test/support/cleanup.ts'
import { createTestDatabase } from '../../test/support/database.ts'
import { createProxy } from '../../test/support/proxy.ts'
import { quietLog } from '../../test/support/quiet.ts'
import { openDatabase } from '../platform/database.ts'
import { Problem } from '../contract/problem.ts'
import { createFileKey, type FileMetadata } from './file.ts'
import { createFileLookup } from './lookup.ts'
import { Lru } from './lru.ts'
import { announceFile, markStored } from './queries.ts'
import { newFile } from '../../test/support/files/workspace.ts'

const { database, url } = await createTestDatabase()
const proxy = await createProxy(url)
const distant = openDatabase(proxy.url, quietLog, { connections: 2 })
atEnd(() => distant.end())

async function storedFile(overrides: Partial<FileMetadata> = {}): Promise<FileMetadata> {
  const file = newFile(overrides)
  await announceFile(database, file, file.expiresAt)
  await markStored(database, file.key, file.expiresAt)
  return file
}

test('finds a file with everything that is known of it', async () => {
  const file = await storedFile({ serviceType: 'BRANDMESSAGE', kind: 'wideItemList/first', format: 'png' })
  assert.deepEqual(await createFileLookup(database).find(file.key), file)
})

test('finds no file that does not exist, or whose bytes have not come', async () => {
  const lookup = createFileLookup(database)
  const announced = newFile()
  await announceFile(database, announced, announced.expiresAt)
  for (const key of ['', 'x', createFileKey(new Date()), announced.key]) {
    assert.equal(await lookup.find(key), null)
  }
})

test('while PostgreSQL is away, a file found or uploaded here before is still found', async () => {
  const lookup = createFileLookup(distant)
  const [found, uploaded] = [await storedFile(), newFile()]
  await lookup.find(found.key)
  lookup.remember(uploaded)
  proxy.block()
  try {
    assert.deepEqual(await lookup.find(found.key), found)
    assert.deepEqual(await lookup.find(uploaded.key), uploaded)
    await assert.rejects(lookup.find(createFileKey(new Date())))
  } finally {
    proxy.unblock()
  }
})

test('while PostgreSQL is silent, an unknown file is answered with A920 within the time allowed', async () => {
  const lookup = createFileLookup(distant, { timeoutMs: 50 })
  const file = await storedFile()
  proxy.mute()
  const before = performance.now()
  try {
    await assert.rejects(
      lookup.find(file.key),
      (error) => error instanceof Problem && error.code === 'A920' && error.retryAfterSeconds === 1,
    )
    assert.ok(performance.now() - before < 2_000)
  } finally {
    proxy.unmute()
  }
  assert.deepEqual(await createFileLookup(distant).find(file.key), file)
})

test('asks PostgreSQL once for many sends with the same file, known or not', async () => {
  let asked = 0
  const counting = new Proxy(database, {
    get(target, name) {
      if (name === 'query') asked++
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value
    },
  })
  const lookup = createFileLookup(counting)
  const file = await storedFile()
  for (const [key, expected] of [
    [file.key, file],
    [createFileKey(new Date()), null],
  ] as const) {
    asked = 0
    const answers = await Promise.all(Array.from({ length: 20 }, () => lookup.find(key)))
    for (const answer of [...answers, await lookup.find(key)]) assert.deepEqual(answer, expected)
    assert.equal(asked, 1)
  }
})

test('the memory forgets what was used longest ago', () => {
  const memory = new Lru<string, number>(2)
  memory.set('a', 1)
  memory.set('b', 2)
  assert.equal(memory.get('a'), 1)
  memory.set('c', 3)
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => memory.get(key)),
    [1, undefined, 3],
  )
})
