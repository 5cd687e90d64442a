import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Health } from './choose.ts'
import { compileRoutes } from './compile.ts'
import { explainRoute } from './explain.ts'
import { testRoute as route } from '../../../test/support/routes.ts'

test('explains for every route why it is chosen, passed over or does not match', () => {
  const routes = [
    route('down', { priority: 1 }),
    route('trial', { priority: 2 }),
    route('off', { priority: 3, enabled: false }),
    route('rich', { priority: 4, channels: ['rcs', 'mms'] }),
    route('own', { priority: 5, accounts: [2] }),
    route('japan', { priority: 6, prefixes: ['+81', '02'] }),
    route('kt', { priority: 7, carriers: ['10002'] }),
    route('good', { priority: 8 }),
    route('last', { priority: 9 }),
  ]
  const unhealthy: Record<string, Health> = {
    down: { usable: false, reason: 'is not linked' },
    trial: { usable: true, onTrial: true, reason: 'is on trial after failures' },
  }
  const table = compileRoutes(routes, [{ prefix: '010', carrier: '10001' }])
  const request = { accountId: 1, channel: 'sms', to: '01012345678', msgKey: 'A' } as const
  const explanations = explainRoute(table, request, (id) => unhealthy[id] ?? { usable: true })
  assert.deepEqual(
    explanations.map(({ route: { id }, decision, reason }) => `${id}: ${decision}, ${reason}`),
    [
      'down: passed over, is not linked',
      'trial: passed over, is on trial after failures: another message may take it',
      'off: no match, is disabled',
      'rich: no match, does not serve sms, only rcs, mms',
      'own: no match, does not serve this account',
      'japan: no match, serves only numbers that begin with +81, 02',
      'kt: no match, serves only recipients at KT (10002), and this one is at SKT (10001)',
      'good: taken, third choice: down is not linked and 1 more cannot take it',
      'last: passed over, priority 9 comes after 8',
    ],
  )
})

test('explains unknown carriers and other routes of the same priority', () => {
  const routes = [route('kt', { carriers: ['10002'] }), route('a'), route('b', { weight: 2 })]
  const request = { accountId: 1, channel: 'sms', to: '01012345678', msgKey: 'A' } as const
  const explanations = explainRoute(compileRoutes(routes), request, () => ({ usable: true }))
  const lines = explanations.map(({ route: { id }, reason }) => `${id} ${reason}`)
  assert.ok(
    lines.includes('kt serves only recipients at KT (10002), and the carrier of this one is not known'),
    lines.join('\n'),
  )
  const other = explanations.find(({ decision }) => decision === 'passed over')!
  assert.equal(other.reason, `same priority, weight ${other.route.weight}: another message may take it`)
})

test('chooses a route to wait for and explains the others when none is usable', () => {
  const health = (): Health => ({ usable: false, reason: 'is not linked' })
  const request = { accountId: 1, channel: 'sms', to: '01012345678', msgKey: 'A' } as const
  const explanations = explainRoute(compileRoutes([route('a', { priority: 1 }), route('b')]), request, health)
  assert.deepEqual(
    explanations.map(({ decision, reason }) => [decision, reason]),
    [
      ['taken', 'waits: a is not linked, and no other route is healthy'],
      ['passed over', 'is not linked'],
    ],
  )
})
