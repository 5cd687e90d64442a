/** A search in pieces finds every message once, and where a piece ends tells nothing of a message of another account but its time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/database.ts'
import { acceptedJobs, createAccount, recordJobs } from '../../../test/support/fixtures.ts'
import { endPiece, searchPiece, type MessageFilter, type Piece } from './search.ts'

const key = (time: string, rest: string): string => `${time}${rest.padEnd(15, '0')}`

test('a piece ends before the last millisecond that it has read a part of', () => {
  const [newest, middle, oldest] = ['20261116090000125', '20261116090000124', '20261116090000123']
  const own = [key(newest, 'A'), key(middle, 'B'), key(oldest, 'Z')]
  const { keys, next } = endPiece(own, { first: key(newest, 'C'), last: key(oldest, 'D') })
  assert.deepEqual(keys, own.slice(0, 2))
  assert.equal(next, `${oldest}~`)
  // The next piece finds what was left out.
  assert.ok(own[2]! < next)
})

test('a piece within one millisecond ends where its keys begin to differ', () => {
  const time = '20261116090000123'
  const own = [key(time, '00KX'), key(time, '00KB1')]
  const { keys, next } = endPiece(own, { first: key(time, '00KZ'), last: key(time, '00KB') })
  assert.deepEqual(keys, own.slice(0, 1))
  assert.equal(next, `${time}00KB~`)
})

test('finds every message of an account among thousands that others have scheduled for the same time', async () => {
  const { database } = await createTestDatabase()
  const shop = await createAccount(database, 'shop')
  const other = await createAccount(database, 'other')
  const acceptedAt = Date.now() - 60_000
  const record = async (accountId: number, count: number, at: number): Promise<string[]> =>
    (await recordJobs(database, acceptedJobs(count, { accountId, acceptedAt: at }))).map(
      ({ msgKey }) => msgKey,
    )
  const others = await record(other, 200, acceptedAt + 1)
  for (let nth = 0; nth < 6; nth += 1) others.push(...(await record(other, 1_000, acceptedAt)))
  const own = [
    ...(await record(shop, 5, acceptedAt + 1)),
    ...(await record(shop, 20, acceptedAt)),
    ...(await record(shop, 1, acceptedAt - 1)),
  ]
  const secrets = new Set(others)
  for (const state of [undefined, 'open'] as const) {
    const found: string[] = []
    let beforeKey: string | null = '~'
    let pieces = 0
    while (beforeKey !== null) {
      const filter: MessageFilter = { accountId: shop, state, fromKey: '', beforeKey }
      const { keys, next }: Piece = await searchPiece(database, filter, 200)
      found.push(...keys)
      assert.ok(next === null || (!secrets.has(next) && next.length < 24), String(next))
      beforeKey = next
      pieces += 1
      assert.ok(pieces < 10, 'the search does not come to its end')
    }
    assert.ok(pieces > 1)
    assert.deepEqual(found, own.toSorted().reverse())
  }
})
