import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJobs, createAccount, recordJobs } from '../../../test/support/fixtures.ts'
import type { Piece } from '../search-page.ts'
import { searchKeys, type MessageFilter } from './search.ts'

test('finds every message of an account among thousands of other accounts', async () => {
  const { database } = await createTestDatabase()
  const shop = await createAccount(database, 'shop')
  const other = await createAccount(database, 'other')
  const acceptedAt = Date.now() - 60_000
  const record = async (accountId: number, count: number, at: number): Promise<string[]> =>
    (await recordJobs(database, acceptedJobs(count, { accountId, acceptedAt: at }))).map(
      ({ msgKey }) => msgKey,
    )
  await record(other, 200, acceptedAt + 1)
  for (let nth = 0; nth < 6; nth += 1) await record(other, 1_000, acceptedAt)
  const expected = [
    ...(await record(shop, 5, acceptedAt + 1)),
    ...(await record(shop, 20, acceptedAt)),
    ...(await record(shop, 1, acceptedAt - 1)),
  ]
  for (const state of [undefined, 'open'] as const) {
    const found: string[] = []
    let beforeKey: string | null = '~'
    let pieces = 0
    while (beforeKey !== null) {
      const filter: MessageFilter = { accountId: shop, state, fromKey: '', beforeKey }
      const { items, next }: Piece<string, string> = await searchKeys(database, filter, 200)
      found.push(...items)
      beforeKey = next
      pieces += 1
      assert.ok(pieces < 10, 'the search does not come to its end')
    }
    assert.ok(pieces > 1)
    assert.deepEqual(found, expected.toSorted().reverse())
  }
})
