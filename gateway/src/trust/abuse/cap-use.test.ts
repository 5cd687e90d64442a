import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { createMemoryLog } from '../../../test/support/memory-log.ts'
import { testMetrics } from '../../../test/support/silent-log.ts'
import { createCapStore } from './cap-store.ts'
import { CapUseWatch } from './cap-use.ts'
import { setCap } from './protection.ts'

const { database } = await createTestDatabase()
const metrics = testMetrics()
const { log, lines } = createMemoryLog()
const findPeriodStart = (period: string): string => (period === 'day' ? '2026-11-16' : '2026-11-01')
const watch = new CapUseWatch({ database, findPeriodStart, metrics, log })

async function levels(): Promise<Record<string, number>> {
  const { values } = await metrics.usedCaps.get()
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels.level), value]))
}

test('a cap counts for the highest level reached and is logged once per level', async () => {
  const [shop, other] = [await createAccount(database, 'shop'), await createAccount(database, 'other')]
  const { reserve } = createCapStore(database)
  const use = async (accountId: number, wanted: number): Promise<void> => {
    await reserve({ accountId, period: 'day', class: 'sms', begins: '2026-11-16' }, wanted, 1_000)
  }
  for (const id of [shop, other]) await setCap(database, id, { period: 'day', class: 'sms', max: 1_000 })
  await setCap(database, shop, { period: 'month', class: 'sms', max: 1_000 })
  await use(shop, 699)
  await use(other, 900)
  await watch.check()
  assert.deepEqual(await levels(), { 70: 0, 90: 1, 100: 0 })
  await use(shop, 1)
  await watch.check()
  await watch.check()
  assert.deepEqual(await levels(), { 70: 1, 90: 1, 100: 0 })
  await use(shop, 300)
  await watch.check()
  assert.deepEqual(await levels(), { 70: 0, 90: 1, 100: 1 })
  assert.deepEqual(
    lines.map((line) => /"(\d+ %) of a cap/.exec(line)?.[1]),
    ['90 %', '70 %', '100 %'],
  )
  watch.reset()
  assert.deepEqual(await levels(), {})
})
