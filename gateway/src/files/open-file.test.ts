/** Files for connectors: by every kind of reference, read once, and never a file that is not ours or is damaged. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { createPlace, newFile } from '../../test/support/files/workspace.ts'
import { createFileKey, type FileMetadata } from './file.ts'
import { createFileLookup } from './lookup.ts'
import { createOpenFile } from './open-file.ts'
import { announceFile, markStored } from './queries.ts'
import { imgUrlOf, mediaOf } from './references.ts'
import { removalOf } from './removal.ts'

const place = await createPlace()
const publicFileBase = 'https://gateway.example/v1/file/content'
const content = Buffer.from('the bytes of an image')

async function store(overrides: Partial<FileMetadata> = {}): Promise<string> {
  const file = newFile({ serviceType: 'MMS', kind: '', format: 'jpg', bytes: content.length, ...overrides })
  await announceFile(place.database, file, removalOf(file))
  await place.store.put(file.key, Readable.from([content]))
  await markStored(place.database, file.key, removalOf(file))
  return file.key
}

function open() {
  let reads = 0
  const openFile = createOpenFile({
    lookup: createFileLookup(place.database),
    store: {
      ...place.store,
      open: (key) => {
        reads++
        return place.store.open(key)
      },
    },
    publicFileBase,
  })
  return { openFile, reads: () => reads }
}

test('a file is found by its key, as media and by its URL, with its type and name, and is read once', async () => {
  const { openFile, reads } = open()
  const key = await store()
  const references = [key, mediaOf(key), imgUrlOf(publicFileBase, key), key]
  const files = await Promise.all(references.map((reference) => openFile(reference)))
  for (const file of files)
    assert.deepEqual(file, { key, bytes: content, contentType: 'image/jpeg', name: `${key}.jpg` })
  assert.ok(await openFile(key))
  assert.equal(reads(), 1)
})

test('an address of the carrier, an unknown key and another gateway’s URL are no files of ours', async () => {
  const { openFile } = open()
  for (const reference of [
    'maapfile://carrier-media-1',
    'https://mud-kage.kakao.com/image.jpg',
    createFileKey(new Date()),
    imgUrlOf('https://other.example/v1/file/content', await store()),
  ])
    assert.equal(await openFile(reference), null)
})

test('a file that is shorter or longer than it was uploaded is an error, not content', async () => {
  const { openFile } = open()
  for (const bytes of [content.length - 1, content.length + 1])
    await assert.rejects(openFile(await store({ bytes })), /does not have its/)
})
