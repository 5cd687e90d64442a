import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCause } from '../src/screens/parked/causes.ts'
import { translateReason } from '../src/screens/routes/explain/reasons.ts'
import { isFailing, formatPercent, roundUp, toBuckets } from '../src/screens/routes/figures.ts'

test('fills minutes without results, current minute last', () => {
  const now = Date.parse('2026-11-16T10:30:20Z')
  const buckets = toBuckets([{ minute: '2026-11-16T10:29:00.000Z', delivered: 3, failed: 1 }], now, 3)
  assert.deepEqual(
    buckets.map(({ at, delivered, failed }) => [new Date(at).toISOString().slice(11, 16), delivered, failed]),
    [
      ['10:28', 0, 0],
      ['10:29', 3, 1],
      ['10:30', 0, 0],
    ],
  )
})

test('rounds the chart maximum, formats shares, and calls a route failing only with enough results', () => {
  assert.deepEqual([0, 2, 3, 5, 11, 399, 401].map(roundUp), [2, 2, 4, 10, 20, 400, 1000])
  assert.deepEqual([1, 0.98765, 0.003].map(formatPercent), ['100 %', '98.8 %', '0.3 %'])
  assert.ok(!isFailing({ delivered: 1, failed: 9 }), 'too few results')
  assert.ok(isFailing({ delivered: 70, failed: 30 }))
})

test('translates every explanation reason to Korean', () => {
  const reasons = [
    'is not linked',
    'is on trial after failures: another message may take it',
    'is disabled',
    'does not serve sms, only rcs, mms',
    'does not serve this account',
    'serves only numbers that begin with +81, 02',
    'serves only recipients at KT (10002), and this one is at SKT (10001)',
    'serves only recipients at KT (10002), and the carrier of this one is not known',
    'third choice: down is not linked and 1 more cannot take it',
    'priority 9 comes after 8',
    'same priority, weight 2: another message may take it',
    'waits: a is not linked, and no other route is healthy',
    'another share of the same route: another message may take it',
    'priority 100',
    'priority 100, weight 1 of 3',
    'priority 100, weight 1 of 3; b is not linked and 2 more cannot take it',
  ]
  for (const reason of reasons) {
    const { text, lang } = translateReason(reason, (state) => `상태(${state})`)
    assert.equal(lang, undefined, reason)
    assert.match(text, /[가-힣]/, reason)
  }
  assert.deepEqual(
    translateReason('something new', (state) => state),
    { text: 'something new', lang: 'en' },
  )
})

test('selects the advice by the reason', () => {
  assert.equal(findCause('intake', 'error 22021'), 'value')
  assert.equal(findCause('intake', 'error 23514'), 'partition')
  assert.equal(findCause('dispatch', 'error 42501'), 'grant')
  assert.equal(findCause('settle', 'error 42P01'), 'schema')
  assert.equal(findCause('settle', 'unreadable receipt: version 9 is newer'), 'version')
  assert.equal(findCause('unreadable', null), 'format')
  assert.equal(findCause('dispatch', 'TypeError'), 'other')
})
