import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { createFileTestBed, newFile } from '../../../test/support/files/test-bed.ts'
import { createFileKey, type FileMetadata } from './file.ts'
import { createFileLookup } from './lookup.ts'
import { createOpenFile } from './open-file.ts'
import { insertPendingFile, markStored } from './queries.ts'
import { toImgUrl, toMedia } from './references.ts'
import { computeRemovalTime } from './storage/removal.ts'

const testBed = await createFileTestBed()
const publicFileUrl = 'https://gateway.example/v1/file/content'
const content = Buffer.from('the bytes of an image')

async function store(overrides: Partial<FileMetadata> = {}): Promise<string> {
  const file = newFile({ serviceType: 'MMS', kind: '', format: 'jpg', bytes: content.length, ...overrides })
  await insertPendingFile(testBed.database, file, computeRemovalTime(file))
  await testBed.store.put(file.key, Readable.from([content]))
  await markStored(testBed.database, file.key, computeRemovalTime(file))
  return file.key
}

function open() {
  let reads = 0
  const openFile = createOpenFile({
    lookup: createFileLookup(testBed.database),
    store: {
      ...testBed.store,
      open: (key) => {
        reads++
        return testBed.store.open(key)
      },
    },
    publicFileUrl,
  })
  return { openFile, reads: () => reads }
}

test('finds a file by key, media and URL, and reads it once', async () => {
  const { openFile, reads } = open()
  const key = await store()
  const references = [key, toMedia(key), toImgUrl(publicFileUrl, key), key]
  const files = await Promise.all(references.map((reference) => openFile(reference)))
  for (const file of files)
    assert.deepEqual(file, { key, bytes: content, contentType: 'image/jpeg', name: `${key}.jpg` })
  assert.ok(await openFile(key))
  assert.equal(reads(), 1)
})

test('returns null for carrier addresses, unknown keys and URLs of other gateways', async () => {
  const { openFile } = open()
  for (const reference of [
    'maapfile://carrier-media-1',
    'https://mud-kage.kakao.com/image.jpg',
    createFileKey(new Date()),
    toImgUrl('https://other.example/v1/file/content', await store()),
  ])
    assert.equal(await openFile(reference), null)
})

test('a file that is shorter or longer than its upload is an error', async () => {
  const { openFile } = open()
  for (const bytes of [content.length - 1, content.length + 1])
    await assert.rejects(openFile(await store({ bytes })), /is damaged/)
})
