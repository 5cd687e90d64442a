import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createMsgKey } from '../../contract/msg-key.ts'
import { chooseRoute } from './choose.ts'
import { compileRoutes } from './compile.ts'
import { explainRoute } from './explain.ts'
import type { Route } from './route.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { listShares } from './shares.ts'

const now = new Date()
const keys = Array.from({ length: 4_000 }, () => createMsgKey('00', now))
// Keys that differ in a single character must be distributed as evenly as random ones.
const alike = Array.from({ length: 4_000 }, (_, n) => `20261115000000000000000${String(n).padStart(9, '0')}`)

const weights = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 2, maxLength: 6 })
const toRoutes = (list: readonly number[]): Route[] =>
  list.map((weight, n) => testRoute(`route-${n}`, { weight }))

function chooseAll(routes: Route[], msgKeys: readonly string[]): string[] {
  const table = compileRoutes(routes)
  return msgKeys.map(
    (msgKey) =>
      chooseRoute(table, { accountId: 1, channel: 'sms', to: '01012345678', msgKey }, () => ({
        usable: true,
      }))!.route.id,
  )
}

test('every route gets messages in proportion to its weight', () => {
  fc.assert(
    fc.property(weights, fc.constantFrom(keys, alike), (list, msgKeys) => {
      const chosen = chooseAll(toRoutes(list), msgKeys)
      const total = list.reduce((sum, weight) => sum + weight, 0)
      list.forEach((weight, n) => {
        const fraction = chosen.filter((id) => id === `route-${n}`).length / msgKeys.length
        // Five standard deviations of a sample of this size.
        const bound = 5 * Math.sqrt(0.25 / msgKeys.length)
        assert.ok(Math.abs(fraction - weight / total) < bound, `${n}: ${fraction} of ${list.join(',')}`)
      })
    }),
    { numRuns: 30 },
  )
})

test('the same message gets the same route, in whatever order the routes are listed', () => {
  fc.assert(
    fc.property(weights, (list) => {
      const routes = toRoutes(list)
      const few = keys.slice(0, 200)
      assert.deepEqual(chooseAll(routes, few), chooseAll([...routes].reverse(), few))
    }),
    { numRuns: 20 },
  )
})

test('a higher weight only moves messages to its route, none between the others', () => {
  fc.assert(
    fc.property(weights, fc.integer({ min: 1, max: 20 }), (list, more) => {
      const before = chooseAll(toRoutes(list), keys)
      const after = chooseAll(toRoutes([list[0]! + more, ...list.slice(1)]), keys)
      before.forEach((id, n) => assert.ok(after[n] === id || after[n] === 'route-0'))
    }),
    { numRuns: 20 },
  )
})

test('removing a route moves only its own messages', () => {
  fc.assert(
    fc.property(weights, (list) => {
      const routes = toRoutes(list)
      const before = chooseAll(routes, keys)
      const after = chooseAll(routes.slice(1), keys)
      before.forEach((id, n) => assert.ok(id === 'route-0' || after[n] === id))
    }),
    { numRuns: 20 },
  )
})

const anyRoute = fc.record({
  priority: fc.integer({ min: 1, max: 3 }),
  weight: fc.integer({ min: 1, max: 3 }),
  enabled: fc.boolean(),
  channels: fc.constantFrom<Route['channels'][]>(['sms'], ['mms'], ['sms', 'mms']),
  accounts: fc.constantFrom<number[][]>([], [1], [2]),
  prefixes: fc.constantFrom<string[][]>([], ['010'], ['+81'], ['+82', '02']),
  carriers: fc.constantFrom<string[][]>([], ['10001'], ['10002']),
})
const anyHealth = fc.record({ usable: fc.boolean(), onTrial: fc.boolean() })

test('the choice is the best that matches, and the explanation agrees with it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(anyRoute, anyHealth), { maxLength: 8 }),
      fc.constantFrom('01012345678', '0212345678', '+819012345678'),
      fc.constantFrom(...keys.slice(0, 50)),
      (drafts, to, msgKey) => {
        const routes = drafts.map(([draft], n) => testRoute(`r${n}`, draft))
        const health = new Map(drafts.map(([, state], n) => [`r${n}`, state]))
        const table = compileRoutes(routes, [{ prefix: '010', carrier: '10001' }])
        const request = { accountId: 1, channel: 'sms', to, msgKey } as const
        const choice = chooseRoute(table, request, (id) => health.get(id)!)
        const explanations = explainRoute(table, request, (id) => health.get(id)!)
        assert.equal(explanations.length, routes.length)
        assert.deepEqual(
          explanations
            .filter(({ decision }) => decision === 'taken')
            .map(({ route, reason }) => ({ route, reason })),
          choice === null ? [] : [choice],
        )
        const matching = explanations
          .filter(({ decision }) => decision !== 'no match')
          .map(({ route }) => route)
        for (const route of matching) assert.ok(matches(route, to), JSON.stringify(route))
        assert.deepEqual(
          new Set(matching),
          new Set(routes.filter((route) => matches(route, to)).flatMap(listShares)),
        )
        const certain = matching.filter(({ id }) => health.get(id)!.usable && !health.get(id)!.onTrial)
        if (certain.length > 0) {
          const best = Math.min(...certain.map(({ priority }) => priority))
          assert.ok(choice!.route.priority <= best)
          assert.ok(health.get(choice!.route.id)!.usable)
        }
      },
    ),
  )
})

/** A second, direct implementation of the rules. */
function matches(route: Route, to: string): boolean {
  const spelt = [to, to.replace(/^0/, '+82')]
  const carrier = to.startsWith('010') ? '10001' : undefined
  return (
    route.enabled &&
    route.channels.includes('sms') &&
    (route.accounts.length === 0 || route.accounts.includes(1)) &&
    (route.prefixes.length === 0 ||
      route.prefixes.some((prefix) => spelt.some((number) => number.startsWith(prefix)))) &&
    (route.carriers.length === 0 || (carrier !== undefined && route.carriers.includes(carrier)))
  )
}
