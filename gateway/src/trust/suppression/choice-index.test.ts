import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createBlindIndex } from '../../platform/encryption/blind-index.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { ChoiceIndex, createChoiceLoader } from './choice-index.ts'
import { toRecipientKey } from './store.ts'
import { ChoiceTable } from './choice-table.ts'

test('the table agrees with a Map over random changes', () => {
  const [table, map] = [new ChoiceTable(), new Map<string, number>()]
  const keys = Array.from({ length: 1_000 }, () => randomBytes(16))
  for (let n = 0; n < 20_000; n++) {
    const key = keys[Math.floor(Math.random() * keys.length)]!
    const name = key.toString('hex')
    const previous = map.get(name)
    if (Math.random() < 0.5) {
      const value = 1 + Math.floor(Math.random() * 4)
      assert.equal(table.set(key, value), previous)
      map.set(name, value)
    } else {
      assert.equal(table.delete(key), previous)
      map.delete(name)
    }
  }
  for (const key of keys) assert.equal(table.get(key), map.get(key.toString('hex')))
})

test('reads all pages, then changes, and drops vanished choices within the hour', async () => {
  const { database } = await createTestDatabase()
  const blindIndex = createBlindIndex(createSecretKey(randomBytes(32)))
  const insert = (accountId: number, version: number, to: readonly string[], state = 'suppressed') =>
    database.query(
      `insert into recipient_choices (account_id, recipient, state, night, since, source, reason, version)
       select $1, recipient, $4, false, now(), 'api', '', $2 from unnest($3::bytea[]) as recipient
       on conflict (account_id, recipient) do update set state = excluded.state, version = excluded.version`,
      [accountId, version, to.map((number) => toRecipientKey(blindIndex, accountId, number)), state],
    )
  const filler = `insert into recipient_choices (account_id, recipient, state, night, since, source, reason, version)
    select 1, decode(md5(n::text), 'hex'), 'agreed', false, now(), 'api', '', n / 50 + 1 from generate_series(1, $1::int) n`
  await database.query(filler, [1_010])
  await insert(2, 30, ['01000000001', '01000000002'])
  const index = new ChoiceIndex()
  let isUnavailable = true
  const openBlindIndex = () =>
    isUnavailable ? Promise.reject(new Error('no response')) : Promise.resolve(blindIndex)
  const load = createChoiceLoader(index, openBlindIndex, 100)
  await assert.rejects(load(database, '30'))
  isUnavailable = false
  await load(database, '30')
  assert.ok(index.isSuppressed(2, '01000000001') && index.isSuppressed(2, '01000000002'))
  await insert(2, 31, ['01000000001'], 'none')
  await insert(0, 31, ['01000000003'])
  await database.query(`update recipient_choices set version = 32 where account_id = 1`)
  await load(database, '32')
  assert.ok(!index.isSuppressed(2, '01000000001') && index.isSuppressed(7, '01000000003'))
  // A row that disappeared without a version, as after a failover.
  await database.query(`delete from recipient_choices where account_id = 2`)
  await load(database, '32')
  assert.ok(index.isSuppressed(2, '01000000002'))
  await load(database)
  await waitFor('the hourly reading', () => !index.isSuppressed(2, '01000000002'))
  await insert(2, 33, ['01000000002'])
  await load(database, '33')
  assert.ok(index.isSuppressed(2, '01000000002'))
})
