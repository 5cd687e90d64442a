import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { openDatabase } from '../database/database.ts'
import { DamagedCiphertext } from './ciphertext.ts'
import { destroyDayKeys, listDayKeys } from './data-keys.ts'
import { Encryption, openEncryption } from './encryption.ts'
import { localMasterKey } from './master-key.ts'
import { MessageCipher } from './message-cipher.ts'

const { database, url } = await createTestDatabase()
const now = new Date('2026-11-14T10:00:00Z')
const master = randomBytes(32)
const under = (...bytes: Buffer[]): Encryption => {
  const readable = bytes.map(localMasterKey)
  return new Encryption({ current: readable[0], readable })
}
async function opened(encryption = under(master), sealing = true): Promise<MessageCipher> {
  const cipher = new MessageCipher()
  await cipher.open(database, encryption, { sealing }, now)
  return cipher
}

const msgKey = '20261114100000000A1AAAAAAAAAAAAA'
const plain = '{"to":"01012345678","steps":[]}'

test('every process has the keys of yesterday, today and the next 62 days', async () => {
  const [first, other] = await Promise.all([opened(), opened()])
  const days = (await listDayKeys(database)).map(({ day }) => day).sort()
  assert.deepEqual([days.length, days[0], days.at(-1)], [64, '20261113', '20270115'])
  const sealed = await first.seal(msgKey, plain)
  assert.ok(!Buffer.from(sealed, 'base64').includes('01012345678'))
  assert.equal(other.unseal(msgKey, sealed), plain)
  assert.throws(() => other.unseal(`${msgKey.slice(0, -1)}B`, sealed), DamagedCiphertext)
  const later = await first.seal(`20270201${msgKey.slice(8)}`, plain)
  assert.equal(other.isReadable(later), false)
  await other.loadKeys([later])
  assert.equal(other.unseal(`20270201${msgKey.slice(8)}`, later), plain)
})

test('messages are encrypted and decrypted while PostgreSQL is unavailable', async () => {
  const session = openDatabase(url, silentLog, { connections: 1 })
  const cipher = new MessageCipher()
  await cipher.open(session, under(master), { sealing: true }, now)
  await session.end()
  const last = `20270115${msgKey.slice(8)}`
  assert.equal(cipher.unseal(last, await cipher.seal(last, plain)), plain)
})

test('a process that does not encrypt can read encrypted messages with the master key', async () => {
  const sealed = await (await opened()).seal(msgKey, plain)
  const reading = await opened(under(master), false)
  assert.equal(reading.sealing, false)
  await reading.loadKeys([sealed])
  assert.equal(reading.unseal(msgKey, sealed), plain)
  await assert.rejects(
    opened(openEncryption({}), true),
    /POSTERN_ENCRYPT_MESSAGES=yes requires POSTERN_MASTER_KEY/,
  )
})

test("destroying a day's key makes only its messages unreadable", async () => {
  const running = await opened()
  const next = `20261115${msgKey.slice(8)}`
  const [today, tomorrow] = [await running.seal(msgKey, plain), await running.seal(next, plain)]
  await destroyDayKeys(database, ['20261114'])
  await running.refresh(new Date('2026-11-16T10:00:00Z'))
  const started = await opened(under(master), false)
  for (const cipher of [running, started]) {
    await cipher.loadKeys([today, tomorrow])
    assert.throws(() => cipher.unseal(msgKey, today), DamagedCiphertext)
    assert.equal(cipher.unseal(next, tomorrow), plain)
  }
})

test('messages stay readable under a new master key, but not with old copies of keys', async () => {
  const sealed = await (await opened()).seal(`20261120${msgKey.slice(8)}`, plain)
  const backup = await database.query('select * from data_keys')
  const second = randomBytes(32)
  await under(second, master).rewrapKeys(database)
  const cipher = await opened(under(second), false)
  await cipher.loadKeys([sealed])
  assert.equal(cipher.unseal(`20261120${msgKey.slice(8)}`, sealed), plain)
  await destroyDayKeys(database, ['20261120'])
  await database.query(
    `insert into data_keys select * from json_populate_recordset(null::data_keys, $1) where purpose = 'messages:20261120'`,
    [
      JSON.stringify(
        backup.rows.map((row: { wrapped: Buffer }) => ({
          ...row,
          wrapped: `\\x${row.wrapped.toString('hex')}`,
        })),
      ),
    ],
  )
  const restored = new MessageCipher()
  await restored.open(database, under(second), { sealing: false }, now)
  await assert.rejects(restored.loadKeys([sealed]), /master key/)
})
