import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estimateEnd, type RemainingWork } from './expected-end.ts'

const hours = { opensAt: 9 * 60, closesAt: 20 * 60 }

function estimate(changes: Partial<RemainingWork>): string | undefined {
  const now = new Date('2026-11-20T19:30:00+09:00')
  const work = { now, lines: 3_600, perSecond: 1, hours: null, startAt: null, timeZone: 'Asia/Seoul' }
  return estimateEnd({ ...work, ...changes })?.toISOString()
}

test('the remaining lines take their time from now, or from the start, if there are no hours', () => {
  assert.equal(estimate({}), '2026-11-20T11:30:00.000Z')
  assert.equal(estimate({ startAt: new Date('2026-11-21T00:00:00Z') }), '2026-11-21T01:00:00.000Z')
})

test('lines that do not fit before the end of the hours continue when the hours begin again', () => {
  // Half an hour on the 20th, the other half from 09:00 on the 21st.
  assert.equal(estimate({ hours }), '2026-11-21T00:30:00.000Z')
  // Eleven hours a day.
  assert.equal(estimate({ hours, lines: 3_600 * 23 }), '2026-11-23T00:30:00.000Z')
})

test('the work begins with the hours if these have not begun', () => {
  const now = new Date('2026-11-20T07:15:30+09:00')
  assert.equal(estimate({ hours, now }), '2026-11-20T01:00:00.000Z')
})

test('an end in more than sixty days is not estimated', () => {
  assert.equal(estimate({ lines: 61 * 86_400 }), undefined)
  assert.equal(estimate({ hours, lines: 70 * 11 * 3_600 }), undefined)
})
