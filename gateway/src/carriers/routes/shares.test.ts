import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testRoute } from '../../../test/support/routes.ts'
import { createTopology } from '../../jobs/queues.ts'
import { maxOwners, parseShareNumber, parseShareRoute } from '../../jobs/route-share.ts'
import { chooseRoute, type Health } from './choose.ts'
import { compileRoutes } from './compile.ts'
import { explainRoute } from './explain.ts'
import { metricLabels, listShareIds, listShares } from './shares.ts'

const request = (msgKey: string, accountId = 1) =>
  ({ accountId, channel: 'sms', to: '01012345678', msgKey }) as const
const healthy = (): Health => ({ usable: true })

test('a route with one owner is its own share', () => {
  const route = testRoute('skt-1', { partsPerSecond: 50 })
  assert.deepEqual(listShares(route), [{ ...route, routeId: 'skt-1' }])
  assert.deepEqual(metricLabels(listShares(route)[0]!), { route: 'skt-1' })
})

test('each share has its own id, the name of its route and a part of its rate', () => {
  const shares = listShares(testRoute('skt-1', { partsPerSecond: 100, owners: 3 }))
  assert.deepEqual(
    shares.map(({ id, routeId, partsPerSecond }) => [id, routeId, partsPerSecond]),
    [
      ['skt-1', 'skt-1', 100 / 3],
      ['skt-1#2', 'skt-1', 100 / 3],
      ['skt-1#3', 'skt-1', 100 / 3],
    ],
  )
  assert.deepEqual(shares.map(({ id }) => [parseShareRoute(id), parseShareNumber(id)]).at(-1), ['skt-1', 3])
  assert.deepEqual(metricLabels(shares[2]!), { route: 'skt-1', share: '3' })
})

test('the shares of a route are in different partitions', () => {
  const topology = createTopology('')
  for (let n = 0; n < 200; n++) {
    const ids = listShareIds([{ id: `route-${n}`, owners: maxOwners }])
    assert.equal(new Set(ids.map((id) => topology.getPartition(id))).size, maxOwners)
    assert.equal(
      (topology.getPartition(ids[0]!) + 16) % 32,
      topology.getPartition(ids[1]!),
      'the second is half of the partitions away',
    )
  }
})

test('every account is spread evenly over the shares, and routes keep their weights', () => {
  const table = compileRoutes([testRoute('a', { owners: 3, weight: 3 }), testRoute('b')])
  for (const account of [1, 2]) {
    const counts = new Map<string, number>()
    for (let n = 0; n < 12_000; n++) {
      const { id } = chooseRoute(table, request(`key-${account}-${n}`, account), healthy)!.route
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    assert.deepEqual([...counts.keys()].sort(), ['a', 'a#2', 'a#3', 'b'])
    for (const [id, count] of counts) assert.ok(Math.abs(count - 3_000) < 250, `${id} ${count}`)
  }
})

test('the reason names weights of routes, and a share that cannot be used', () => {
  const table = compileRoutes([testRoute('a', { owners: 4, weight: 3 }), testRoute('b')])
  const alone = compileRoutes([testRoute('a', { owners: 4 })])
  assert.match(chooseRoute(table, request('k'), healthy)!.reason, /^priority 100, weight [13] of 4$/)
  assert.equal(chooseRoute(alone, request('k'), healthy)!.reason, 'priority 100')
  const without = (id: string): Health =>
    id === 'a' ? { usable: false, reason: 'is not linked' } : healthy()
  for (let n = 0; n < 20; n++) {
    const choice = chooseRoute(alone, request(`k${n}`), without)!
    assert.notEqual(choice.route.id, 'a')
    assert.equal(choice.reason, 'priority 100; a is not linked')
  }
})

test('an explanation has a line for each share that the message may take', () => {
  const routes = [testRoute('a', { owners: 2, priority: 1 }), testRoute('own', { owners: 2, accounts: [9] })]
  const lines = explainRoute(compileRoutes(routes), request('A'), healthy)
  assert.deepEqual(
    lines.map(({ route, decision }) => `${route.id} ${decision}`).sort(),
    lines[0]!.decision === 'taken'
      ? ['a taken', 'a#2 passed over', 'own no match']
      : ['a passed over', 'a#2 taken', 'own no match'],
  )
})
