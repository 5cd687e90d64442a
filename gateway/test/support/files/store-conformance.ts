/** Conformance tests of file stores. A new store must pass them before it is used. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { createFileKey } from '../../../src/records/files/file.ts'
import type { FileStore } from '../../../src/records/files/storage/store.ts'

export function testFileStore(storeName: string, store: FileStore): void {
  const newKey = (): string => createFileKey(new Date())
  const stored = async (key: string): Promise<Buffer> => buffer(await store.open(key))

  test(`${storeName} returns exactly the stored bytes`, async () => {
    for (const size of [1, 65_536, 300_001, 5 * 1024 * 1024]) {
      const key = newKey()
      const content = Buffer.alloc(size, key)
      await store.put(key, Readable.from([content.subarray(0, size >> 1), content.subarray(size >> 1)]))
      assert.ok(content.equals(await stored(key)), `${size} bytes`)
    }
  })

  test(`${storeName} keeps concurrent uploads separate`, async () => {
    const keys = Array.from({ length: 10 }, newKey)
    await Promise.all(keys.map((key) => store.put(key, Readable.from([Buffer.from(key)]))))
    for (const key of keys) assert.equal((await stored(key)).toString(), key)
  })

  test(`${storeName} stores nothing of an interrupted upload`, async () => {
    const key = newKey()
    const broken = Readable.from(
      (function* () {
        yield Buffer.from('the first half')
        throw new Error('cut')
      })(),
    )
    await assert.rejects(store.put(key, broken), /cut/)
    await assert.rejects(store.open(key))
  })

  test(`${storeName} removes a file and ignores a repeated removal`, async () => {
    const key = newKey()
    await store.put(key, Readable.from([Buffer.from('gone soon')]))
    await store.remove(key)
    await assert.rejects(store.open(key))
    await store.remove(key)
    await store.remove(newKey())
  })

  test(`${storeName} accepts only file keys`, async () => {
    const inside = newKey()
    for (const key of [
      '',
      '.',
      '..',
      '../x',
      `../${inside}`,
      `${inside}/..`,
      `${inside}\0`,
      inside.toLowerCase(),
    ]) {
      await assert.rejects(store.put(key, Readable.from([Buffer.from('x')])), /file keys only/)
      await assert.rejects(store.open(key), /file keys only/)
      await assert.rejects(store.remove(key), /file keys only/)
    }
  })
}
