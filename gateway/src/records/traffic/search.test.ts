import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { createMsgKey } from '../../contract/msg-key.ts'
import { maintainTraffic } from './months.ts'
import type { Piece } from '../search-page.ts'
import { insertTraffic, type TrafficEntry } from './queries.ts'
import { searchStart, searchTraffic, type TrafficPosition } from './search.ts'

const { database } = await createTestDatabase()
const accountId = await createAccount(database, 'shop')
await maintainTraffic(database, 365, new Date('2026-10-10T00:00:00Z'))
const index = (recipient: string) => Buffer.from(recipient.padEnd(16, '.'))

/** A `time` without its own partition goes into the default one. */
async function insert(time: string, count: number, recipient: string): Promise<string[]> {
  const at = new Date(time)
  const records = Array.from({ length: count }, () => ({
    msgKey: createMsgKey('00', at),
    accountId,
    recipientIndex: index(recipient),
    sender: '0212345678',
    channel: 'sms',
    reportCode: '10000',
    sentAt: at,
  }))
  await insertTraffic(database, records)
  return records.map(({ msgKey }) => msgKey)
}

const october = [
  ...(await insert('2026-10-01T00:00:00Z', 150, 'kim')),
  ...(await insert('2026-10-31T23:59:59.999Z', 150, 'kim')),
]
await insert('2026-10-15T00:00:00Z', 400, 'lee')
const november = await insert('2026-11-01T00:00:00Z', 150, 'kim')
const elsewhere = await insert('2026-01-15T00:00:00Z', 150, 'kim')
const anyKey = { fromKey: '', beforeKey: '~' }

async function findAll(
  { fromKey, beforeKey }: { fromKey: string; beforeKey: string },
  { limit, pages }: { limit: number; pages: number },
): Promise<string[]> {
  const search = { accountIds: [accountId], indexes: [index('kim')], sender: undefined, fromKey, beforeKey }
  const keys: string[] = []
  let position: TrafficPosition = searchStart
  for (let pieces = 0; pieces < 1_000; pieces += 1) {
    const { items, next }: Piece<TrafficEntry, TrafficPosition> = await searchTraffic(
      database,
      search,
      position,
      limit,
      pages,
    )
    assert.ok(items.length <= limit)
    keys.push(...items.map(({ msgKey }) => msgKey))
    if (next === null) return keys
    position = next
  }
  throw new Error('the search does not end')
}

for (const size of [
  { limit: 1_000, pages: 2_048 },
  { limit: 1_000, pages: 1 },
  { limit: 7, pages: 1 },
  { limit: 7, pages: 3 },
])
  test(`finds each record once with ${size.limit} records per response and ${size.pages} pages per piece`, async () => {
    assert.deepEqual((await findAll(anyKey, size)).sort(), [...october, ...november, ...elsewhere].sort())
    const inOctober = { fromKey: '20261001', beforeKey: '20261101' }
    assert.deepEqual((await findAll(inOctober, size)).sort(), [...october].sort())
    const lastDay = { fromKey: '20261031', beforeKey: '20261101' }
    assert.deepEqual((await findAll(lastDay, size)).sort(), october.slice(150).sort())
    assert.deepEqual(await findAll({ fromKey: '20261201', beforeKey: '~' }, size), [])
  })
