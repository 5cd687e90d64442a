import assert from 'node:assert/strict'
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createBlindIndex } from './blind-index.ts'
import { listKeys } from './data-keys.ts'
import { Encryption, openEncryption } from './encryption.ts'
import { localMasterKey } from './master-key.ts'

const under = (...bytes: Buffer[]): Encryption => {
  const readable = bytes.map(localMasterKey)
  return new Encryption({ current: readable[0], readable })
}

test('an index value is an HMAC-SHA-256 of account and number, truncated to 16 bytes', () => {
  const key = randomBytes(32)
  const expected = (text: string): Buffer => createHmac('sha256', key).update(text).digest().subarray(0, 16)
  const index = createBlindIndex(createSecretKey(key))
  assert.deepEqual(index.of('01012345678'), expected('\n01012345678'))
  assert.deepEqual(index.of('01012345678', 7), expected('7\n01012345678'))
})

test('concurrent processes get the same wrapped key', async () => {
  const { database } = await createTestDatabase()
  const master = randomBytes(32)
  const indexes = await Promise.all(Array.from({ length: 4 }, () => under(master).blindIndex(database)))
  const values = new Set(indexes.map((index) => index.of('01012345678').toString('hex')))
  assert.equal(values.size, 1)
  const keys = await listKeys(database)
  assert.deepEqual(
    keys.map(({ purpose, masterKey }) => [purpose, masterKey]),
    [['recipient-index', localMasterKey(master).id]],
  )
  await assert.rejects(under(randomBytes(32)).blindIndex(database), /POSTERN_PREVIOUS_MASTER_KEY/)
})

test('the key is read once per process', async () => {
  const { database } = await createTestDatabase()
  const encryption = openEncryption({})
  const index = await encryption.blindIndex(database)
  await database.query('delete from data_keys')
  assert.equal(await encryption.blindIndex(database), index)
  assert.deepEqual(await listKeys(database), [])
})

test('index values survive the first master key and its replacement', async () => {
  const { database } = await createTestDatabase()
  const [first, second] = [randomBytes(32), randomBytes(32)]
  const withoutKey = (await openEncryption({}).blindIndex(database)).of('01012345678', 3)
  await assert.rejects(under(first).blindIndex(database), /postern secrets rekey/)
  await under(first).wrapFirstKeys(database)
  assert.deepEqual((await under(first).blindIndex(database)).of('01012345678', 3), withoutKey)
  await assert.rejects(openEncryption({}).blindIndex(database), /POSTERN_MASTER_KEY is required/)
  await under(second, first).rewrapKeys(database)
  assert.deepEqual((await under(second).blindIndex(database)).of('01012345678', 3), withoutKey)
})
