/** Positions of consumers: they only move forward, an account has a number of them, and those of the gateway are beside these. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'
import { consumersOf, maxConsumers } from './consumers.ts'

const { database } = await createTestDatabase()

for (const table of ['report_consumers', 'reply_consumers'] as const)
  test(`${table}: a position only moves forward, and begins where nothing is known`, async () => {
    const consumers = consumersOf(table)
    assert.equal(await consumers.position(database, 1, 'crm'), null)
    for (const [seq, expected] of [
      [5, 5],
      [3, 5],
      [9, 9],
    ] as const) {
      assert.equal(await consumers.move(database, 1, 'crm', seq), true)
      assert.equal(await consumers.position(database, 1, 'crm'), expected)
    }
    await consumers.begin(database, 1, '~smpp', 7)
    await consumers.begin(database, 1, '~smpp', 20)
    assert.equal(await consumers.position(database, 1, '~smpp'), 7)
    await consumers.force(database, 1, '~smpp', 6)
    assert.equal(await consumers.position(database, 1, '~smpp'), 7)
  })

test('the consumer of the gateway takes none of those of the account', async () => {
  const consumers = consumersOf('report_consumers')
  await consumers.begin(database, 2, '~smpp', 0)
  for (let n = 1; n <= maxConsumers; n++)
    assert.equal(await consumers.move(database, 2, `c${n}`, 1), true, `consumer ${n}`)
  assert.equal(await consumers.move(database, 2, 'one-more', 1), false)
  assert.equal(await consumers.move(database, 2, 'c1', 2), true)
})
