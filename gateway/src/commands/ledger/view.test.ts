/** `postern ledger` counts every gap, also those that an admin API does not list. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Result } from '../result.ts'
import { ledgerResult } from './view.ts'

const gap = { day: '20261101', accountId: 1, accepted: 3, final: 1, inFlight: 1, gap: 1 }

test('the total is that of all gaps, and says how many are not listed', () => {
  const twice = { ...gap, day: '20261102', gap: -1 }
  const gapOf = ({ json }: Result): number => (json as { total: { gap: number } }).total.gap
  const all = ledgerResult([], [gap, twice])
  assert.deepEqual([gapOf(all), all.lines.filter((line) => line.startsWith('gap of')).length], [2, 2])
  const some = ledgerResult([], [gap], undefined, { count: 2, messages: 2 })
  assert.equal(gapOf(some), 2)
  assert.equal(some.lines.at(-1), 'gap of 1 more, on 1 days of accounts that are not listed')
  assert.equal(some.failed, true)
})
