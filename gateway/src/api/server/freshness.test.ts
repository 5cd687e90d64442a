/** An API process that cannot read accounts for too long refuses instead of accepting keys that may have been revoked. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TableCache } from '../../platform/table-cache.ts'
import { quietLog } from '../../../test/support/silent-log.ts'
import { createFreshness } from './freshness.ts'

test('within the bound a process serves, beyond it every request is A920; without a bound it always serves', () => {
  const tables = [{ ageMs: 1_000 }, { ageMs: 59 * 60_000 }]
  const bound = (maxMinutes: number, reserveMinutes = 30) =>
    createFreshness(tables, { maxMinutes, reserveMinutes })
  assert.equal(bound(60).isFresh(), true)
  bound(60).require()
  assert.equal(bound(58).isFresh(), false)
  assert.throws(() => bound(58).require(), { code: 'A920', retryAfterSeconds: 5 })
  assert.equal(bound(0).isFresh(), true)
  assert.equal(
    bound(1, 60).isFresh(),
    true,
    'the bound is never shorter than sends are accepted without records',
  )
  assert.equal(Math.round(bound(60).ageSeconds()), 59 * 60)
})

test('the age of a copy is that of its last comparison, not of its last change', async () => {
  let isAway = false
  const table = new TableCache(
    {
      what: 'numbers',
      version: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve('1')),
      load: () => Promise.resolve(1),
    },
    quietLog,
  )
  assert.equal(table.ageMs, Infinity)
  const began = performance.now()
  await table.refresh()
  const first = table.ageMs
  assert.ok(first <= performance.now() - began)
  isAway = true
  await table.refresh()
  assert.ok(table.ageMs >= first)
  isAway = false
  const before = performance.now()
  await table.refresh()
  assert.ok(table.ageMs <= performance.now() - before)
})
