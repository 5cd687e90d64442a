/** Routes: the first by priority that serves the channel, and a table that follows every change. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'
import { quietLog } from '../../test/support/quiet.ts'
import { upsertRoute } from './queries.ts'
import { chooseRoute, type Route } from './route.ts'
import { createRouteTable } from './table.ts'

const { database } = await createTestDatabase()

const route = (id: string, overrides: Partial<Route> = {}): Route => ({
  id,
  channels: ['sms'],
  protocol: 'smpp',
  options: { host: '127.0.0.1' },
  priority: 100,
  partsPerSecond: 0,
  enabled: true,
  ...overrides,
})

test('chooses the enabled route of the channel with the lowest priority number', () => {
  const routes = [
    route('second', { priority: 20 }),
    route('abroad', { priority: 1, channels: ['international'] }),
    route('off', { priority: 5, enabled: false }),
    route('first', { priority: 10, channels: ['international', 'sms'] }),
  ]
  assert.equal(chooseRoute(routes, 'sms')?.id, 'first')
  assert.equal(chooseRoute(routes, 'international')?.id, 'abroad')
})

test('says when nothing serves the channel', () => {
  assert.equal(chooseRoute([], 'sms'), null)
  assert.equal(chooseRoute([route('off', { enabled: false })], 'sms'), null)
  assert.equal(chooseRoute([route('abroad', { channels: ['international'] })], 'sms'), null)
})

test('of two routes with the same priority always the same is chosen', () => {
  assert.equal(chooseRoute([route('a'), route('b')], 'sms')?.id, 'a')
})

test('the table gives back what was saved, in order of priority, and follows a change', async () => {
  const table = createRouteTable(database, quietLog)
  await upsertRoute(database, route('later', { priority: 9, partsPerSecond: 50 }))
  await upsertRoute(database, route('sooner', { priority: 3, options: { nested: { a: [1] } } }))
  await table.refresh()
  assert.deepEqual(table.value, [
    route('sooner', { priority: 3, options: { nested: { a: [1] } } }),
    route('later', { priority: 9, partsPerSecond: 50 }),
  ])
  await upsertRoute(database, route('later', { priority: 9, enabled: false }))
  await table.refresh()
  assert.equal(table.value.find(({ id }) => id === 'later')!.enabled, false)
})

test('refuses an id that could not be part of a queue name', async () => {
  for (const id of ['', 'UPPER', 'a.b', '-a', 'a'.repeat(33), 'a b']) {
    await assert.rejects(upsertRoute(database, route(id)), { code: '23514' }, id)
  }
})

test('never misses a change that commits after a later one', async () => {
  const table = createRouteTable(database, quietLog)
  await upsertRoute(database, route('early'))
  await upsertRoute(database, route('late'))
  const slow = await database.connect()
  await slow.query('begin')
  await upsertRoute(slow, route('early', { enabled: false }))
  await upsertRoute(database, route('late', { enabled: false }))
  await table.refresh()
  await slow.query('commit')
  slow.release()
  await table.refresh()
  assert.equal(table.value.find(({ id }) => id === 'early')!.enabled, false)
})
