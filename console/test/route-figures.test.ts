/** Figures of routes, reasons in Korean, and why jobs are parked, without a browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { causeOf } from '../src/screens/parked/causes.ts'
import { toKorean } from '../src/screens/routes/explain/reasons.ts'
import { isFailing, percent, roundUp, toBuckets } from '../src/screens/routes/figures.ts'

test('minutes without results are shown as nothing, the present one last', () => {
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

test('a chart ends at a round number, and shares have one digit', () => {
  assert.deepEqual([0, 2, 3, 5, 11, 399, 401].map(roundUp), [2, 2, 4, 10, 20, 400, 1000])
  assert.deepEqual([1, 0.98765, 0.003].map(percent), ['100 %', '98.8 %', '0.3 %'])
  assert.ok(!isFailing({ delivered: 1, failed: 9 }), 'too few to judge')
  assert.ok(isFailing({ delivered: 70, failed: 30 }))
})

test('every reason of an explanation has a Korean text', () => {
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
    const { text, lang } = toKorean(reason, (state) => `상태(${state})`)
    assert.equal(lang, undefined, reason)
    assert.match(text, /[가-힣]/, reason)
  }
  assert.deepEqual(
    toKorean('something new', (state) => state),
    { text: 'something new', lang: 'en' },
  )
})

test('the advice follows from the reason', () => {
  assert.equal(causeOf('intake', 'error 22021'), 'value')
  assert.equal(causeOf('intake', 'error 23514'), 'partition')
  assert.equal(causeOf('dispatch', 'error 42501'), 'grant')
  assert.equal(causeOf('settle', 'error 42P01'), 'schema')
  assert.equal(causeOf('settle', 'unreadable receipt: version 9 is newer'), 'version')
  assert.equal(causeOf('unreadable', null), 'format')
  assert.equal(causeOf('dispatch', 'TypeError'), 'other')
})
