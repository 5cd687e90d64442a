import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { loadRoutes, upsertRoute } from './queries.ts'
import { replaceRanges } from './ranges.ts'
import { openRules, sameLink } from './route.ts'
import { createRouteFor } from './route-for.ts'
import { createRouteTable } from './table.ts'
import { testRoute as route } from '../../../test/support/routes.ts'

const { database } = await createTestDatabase()

test('the table returns what was saved, in order of priority, and sees a change', async () => {
  const table = createRouteTable(database, silentLog)
  const ruled = route('later', {
    priority: 9,
    partsPerSecond: 50,
    accounts: [7, 9],
    prefixes: ['010', '+81'],
    carriers: ['10001'],
    weight: 3,
    minDeliveryRate: 0.85,
    failoverAfterSeconds: 10,
    unknownPolicy: 'resend',
  })
  await upsertRoute(database, ruled)
  await upsertRoute(database, route('sooner', { priority: 3, options: { nested: { a: [1] } } }))
  await table.refresh()
  assert.deepEqual(table.value, [route('sooner', { priority: 3, options: { nested: { a: [1] } } }), ruled])
  await upsertRoute(database, route('later', { priority: 9, enabled: false }))
  await table.refresh()
  assert.equal(table.value.find(({ id }) => id === 'later')!.enabled, false)
})

test('an omitted rule matches everything', async () => {
  const { id, channels, protocol, options, priority, partsPerSecond, enabled } = route('plain')
  await upsertRoute(database, { id, channels, protocol, options, priority, partsPerSecond, enabled })
  const saved = (await loadRoutes(database)).find((loaded) => loaded.id === 'plain')
  assert.deepEqual(saved, { ...openRules, ...route('plain') })
})

test('rejects an id that could not be part of a queue name', async () => {
  for (const id of ['', 'UPPER', 'a.b', '-a', 'a'.repeat(33), 'a b']) {
    await assert.rejects(upsertRoute(database, route(id)), { code: '23514' }, id)
  }
})

test('rejects a weight, a rate or a delay out of range', async () => {
  const bad = [{ weight: 0 }, { minDeliveryRate: 0 }, { minDeliveryRate: 1.1 }, { failoverAfterSeconds: -1 }]
  for (const rules of bad) {
    await assert.rejects(upsertRoute(database, route('bad', rules)), { code: '23514' }, JSON.stringify(rules))
  }
})

test('never misses a change that commits after a later one', async () => {
  const table = createRouteTable(database, silentLog)
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

test('an imported numbering table applies from the next refresh', async () => {
  await database.query('delete from routes')
  await upsertRoute(database, route('skt-only', { carriers: ['10001'] }))
  const table = createRouteTable(database, silentLog)
  await table.refresh()
  const routeFor = createRouteFor(table, () => ({ usable: true }))
  const step = { channel: 'sms', from: '0212345678', text: 'x' } as const
  const findRouteId = (): string | undefined => routeFor({ id: 1 }, step, '01026001234')?.route.id
  assert.equal(findRouteId(), undefined)
  await replaceRanges(database, [
    { prefix: '010', carrier: '10002' },
    { prefix: '0102', carrier: '10001' },
  ])
  await table.refresh()
  assert.equal(findRouteId(), 'skt-only')
  await replaceRanges(database, [{ prefix: '0102', carrier: '10003' }])
  await table.refresh()
  assert.equal(findRouteId(), undefined)
})

test('only a change of the link needs a new bind', () => {
  const before = route('a')
  assert.ok(sameLink(before, route('a', { weight: 5, priority: 1, prefixes: ['010'], channels: ['mms'] })))
  assert.ok(!sameLink(before, route('a', { options: { host: '127.0.0.2' } })))
  assert.ok(sameLink(before, route('a', { partsPerSecond: 5, traffic: 'draining' })))
  assert.ok(!sameLink(before, route('a', { protocol: 'sandbox' })))
})
