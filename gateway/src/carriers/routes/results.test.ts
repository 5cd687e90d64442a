import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { causes } from '../../channels/cause.ts'
import { inTransaction } from '../../platform/database/database.ts'
import {
  appendRouteResults,
  countRouteResults,
  foldRouteResults,
  readDeliveryRates,
  removeOldRouteResults,
} from './results.ts'

const { database } = await createTestDatabase()
const append = (routeId: string, delivered: number, failed: number): Promise<void> =>
  inTransaction(database, (transaction) => appendRouteResults(transaction, [{ routeId, delivered, failed }]))
const age = (routeId: string, minutes: number): Promise<unknown> =>
  database.query('update route_results set minute = minute - make_interval(mins => $2) where route_id = $1', [
    routeId,
    minutes,
  ])
const readDeliveryRate = async (routeId: string, minutes: number, sample: number): Promise<number | null> =>
  (await readDeliveryRates(database, [routeId, 'other'], minutes, sample)).get(routeId) ?? null
const rows = async (routeId: string): Promise<number> =>
  (await database.query('select from route_results where route_id = $1', [routeId])).rowCount!

test('a failure caused by the recipient, the sender or the content does not count', () => {
  const failures = causes.filter((cause) => cause !== 'delivered')
  const [count] = countRouteResults(failures.map((cause) => ({ routeId: 'kt', cause })))
  // The four are timeout, temporary-failure, failed and outcome-unknown.
  assert.deepEqual(count, { routeId: 'kt', delivered: 0, failed: 4 })
  for (const cause of ['no-subscriber', 'phone-off', 'refused', 'spam', 'bad-number'] as const)
    assert.deepEqual(countRouteResults([{ routeId: 'kt', cause }]), [], cause)
})

test('adds up results per route', () => {
  const results = [
    { routeId: 'a', cause: 'delivered' },
    { routeId: 'b', cause: 'timeout' },
    { routeId: 'a', cause: 'failed' },
    { routeId: 'a', cause: 'delivered' },
  ] as const
  assert.deepEqual(countRouteResults(results), [
    { routeId: 'a', delivered: 2, failed: 1 },
    { routeId: 'b', delivered: 0, failed: 1 },
  ])
})

test('the delivery rate covers one route and is null for small samples', async () => {
  assert.equal(await readDeliveryRate('none', 10, 0), null)
  await append('rated', 60, 10)
  await append('rated', 20, 10)
  await append('other', 0, 1_000)
  assert.equal(await readDeliveryRate('rated', 10, 100), 0.8)
  assert.equal(await readDeliveryRate('rated', 10, 101), null)
})

test('old minutes no longer count, so that a paused route is tried again', async () => {
  await append('rested', 0, 50)
  await age('rested', 11)
  assert.equal(await readDeliveryRate('rested', 10, 1), null)
  await append('rested', 50, 0)
  assert.equal(await readDeliveryRate('rested', 10, 1), 1)
})

test('concurrent folding by several workers leaves one row per minute and the same sums', async () => {
  for (let n = 0; n < 10; n++) await append('folded', 3, 1)
  await age('folded', 1)
  await Promise.all([append('folded', 10, 30), foldRouteResults(database), foldRouteResults(database)])
  await foldRouteResults(database)
  assert.equal(await readDeliveryRate('folded', 10, 80), 0.5)
  const { rows: minutes } = await database.query<{ count: number }>(
    `select count(*) from route_results where route_id = 'folded' group by minute`,
  )
  assert.ok(minutes.length > 0)
  assert.ok(minutes.every(({ count }) => count === 1))
})

test('removes only rows older than the retention time', async () => {
  await append('kept', 1, 0)
  await append('aged', 1, 0)
  await age('aged', 60 * 24 * 8)
  await removeOldRouteResults(database, new Date(Date.now() - 7 * 86_400_000))
  assert.deepEqual([await rows('kept'), await rows('aged')], [1, 0])
})
