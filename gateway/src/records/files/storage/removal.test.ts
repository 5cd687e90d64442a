import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { beforeEach, test } from 'node:test'
import type { FileMetadata } from '../file.ts'
import { insertPendingFile, markStored } from '../queries.ts'
import { registerFile } from '../register.ts'
import { retentionAfterExpiryMs, computeRemovalTime, removeExpired, unstoredLifetimeMs } from './removal.ts'
import { imageRules } from '../rules.ts'
import type { FileStore } from './store.ts'
import {
  account,
  createFileTestBed,
  filesBelow,
  newFile,
  rowCount,
} from '../../../../test/support/files/test-bed.ts'

const { database, store, lookup, storeFolder } = await createFileTestBed()
const image = { format: 'jpg', width: 10, height: 10, bytes: 5 } as const
const spool = {
  write: () => Promise.resolve(),
  read: () => Readable.from([Buffer.from('bytes')]),
  close: () => Promise.resolve(),
}
const later = (from: Date, ms: number): Date => new Date(from.getTime() + ms)

async function storedFile(expiresAt: Date): Promise<FileMetadata> {
  const file = newFile({ expiresAt })
  await insertPendingFile(database, file, computeRemovalTime(file))
  await store.put(file.key, spool.read())
  await markStored(database, file.key, computeRemovalTime(file))
  return file
}

beforeEach(async () => {
  for (const name of await filesBelow(storeFolder)) await store.remove(name)
  await database.query('delete from files')
})

test('keeps a file for retentionAfterExpiryMs after its expiry', async () => {
  const now = new Date()
  const file = await registerFile({ database, store, lookup }, account.id, imageRules[0]!, image, spool, now)
  assert.equal(await removeExpired(database, store, later(file.expiresAt, retentionAfterExpiryMs - 1)), 0)
  assert.deepEqual(await filesBelow(storeFolder), [file.key])
  assert.equal(await removeExpired(database, store, later(file.expiresAt, retentionAfterExpiryMs)), 1)
  assert.deepEqual([await rowCount(database), await filesBelow(storeFolder)], [0, []])
})

test('removes more than one batch, and only what is due', async () => {
  const now = new Date()
  const longAgo = later(now, -retentionAfterExpiryMs)
  for (let nth = 0; nth < 205; nth++) {
    const file = newFile({ expiresAt: longAgo })
    await insertPendingFile(database, file, computeRemovalTime(file))
  }
  const kept = await storedFile(later(now, 1_000))
  assert.equal(await removeExpired(database, store, now), 205)
  assert.deepEqual([await rowCount(database), await filesBelow(storeFolder)], [1, [kept.key]])
})

test('a failed upload leaves a row, which is removed after an hour', async () => {
  const failing: FileStore = { ...store, put: () => Promise.reject(new Error('the disk is full')) }
  const now = new Date()
  const registering = registerFile({ database, store: failing, lookup }, 1, imageRules[0]!, image, spool, now)
  await assert.rejects(registering, /could not be stored/)
  assert.equal(await rowCount(database), 1)
  assert.equal(await removeExpired(database, store, later(now, unstoredLifetimeMs - 1)), 0)
  assert.equal(await removeExpired(database, store, later(now, unstoredLifetimeMs)), 1)
})

test('an upload that is removed before it is stored returns an error', async () => {
  const slow: FileStore = {
    ...store,
    async put(key, content) {
      await store.put(key, content)
      await removeExpired(database, store, later(new Date(), unstoredLifetimeMs))
    },
  }
  const registering = registerFile(
    { database, store: slow, lookup },
    1,
    imageRules[0]!,
    image,
    spool,
    new Date(),
  )
  await assert.rejects(registering, /was deleted while it was stored/)
  assert.deepEqual([await rowCount(database), await filesBelow(storeFolder)], [0, []])
})

test('a file that the store cannot remove keeps its row, and the others are removed', async () => {
  const longAgo = later(new Date(), -retentionAfterExpiryMs - 1_000)
  const stuck = await storedFile(longAgo)
  await storedFile(longAgo)
  const failing: FileStore = {
    ...store,
    remove: (key) => (key === stuck.key ? Promise.reject(new Error('busy')) : store.remove(key)),
  }
  await assert.rejects(removeExpired(database, failing, new Date()), /1 files could not be removed/)
  assert.deepEqual([await rowCount(database), await filesBelow(storeFolder)], [1, [stuck.key]])
  assert.equal(await removeExpired(database, store, new Date()), 1)
})

test('two processes can remove at the same time', async () => {
  const longAgo = later(new Date(), -retentionAfterExpiryMs - 1_000)
  for (let nth = 0; nth < 20; nth++) await storedFile(longAgo)
  await Promise.all([removeExpired(database, store, new Date()), removeExpired(database, store, new Date())])
  assert.deepEqual([await rowCount(database), await filesBelow(storeFolder)], [0, []])
})
