import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { test } from 'node:test'
import { waitFor } from '../../../../test/support/wait.ts'
import { openDiskStore } from './disk.ts'
import { createFileKey } from '../file.ts'
import { filesBelow, temporaryFolder } from '../../../../test/support/files/test-bed.ts'
import { testFileStore } from '../../../../test/support/files/store-conformance.ts'

testFileStore('a folder', await openDiskStore(await temporaryFolder()))

test('a file appears under its name only when it is complete', async () => {
  const folder = await temporaryFolder()
  const store = await openDiskStore(folder)
  const key = createFileKey(new Date())
  const content = new PassThrough()
  const putting = store.put(key, content)
  content.write('the first half')
  await waitFor('the part', async () => (await filesBelow(folder)).length === 1)
  assert.deepEqual(await filesBelow(folder), [`${key}.part`])
  await assert.rejects(store.open(key), { code: 'ENOENT' })
  content.end('the second half')
  await putting
  assert.deepEqual(await filesBelow(folder), [key])
})

test('remove deletes a half-written file of a killed process', async () => {
  const folder = await temporaryFolder()
  const store = await openDiskStore(folder)
  const key = createFileKey(new Date())
  const content = new PassThrough()
  const putting = store.put(key, content)
  content.write('the first half')
  await waitFor('the part', async () => (await filesBelow(folder)).length === 1)
  await store.remove(key)
  assert.deepEqual(await filesBelow(folder), [])
  content.destroy(new Error('cut'))
  await assert.rejects(putting)
})

test('a failed put leaves no partial file behind', async () => {
  const folder = await temporaryFolder()
  const store = await openDiskStore(folder)
  const broken = new Readable({ read() { this.destroy(new Error('cut')) } }) // prettier-ignore
  await assert.rejects(store.put(createFileKey(new Date()), broken), /cut/)
  assert.deepEqual(await filesBelow(folder), [])
})

test('content that fails before its file is open rejects the put', async () => {
  const folder = await temporaryFolder()
  const store = await openDiskStore(folder)
  const content = new PassThrough()
  const putting = store.put(createFileKey(new Date()), content)
  content.destroy(new Error('cut'))
  await assert.rejects(putting, /cut/)
  assert.deepEqual(await filesBelow(folder), [])
})
