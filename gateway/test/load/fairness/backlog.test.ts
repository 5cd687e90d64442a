/**
 * A small fairness run with a backlog of 20,000 messages; `npm run suite -- fairness:backlog` is the full run
 * with a million.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertWithin } from '../../support/wait.ts'
import { createTestDatabase } from '../../support/engines/database.ts'
import { measureCodes } from './one-time-codes.ts'
import { measureDeadlines } from '../deadlines.ts'
import { backlogLimits } from './backlog-report.ts'
import { measureShares, unequalLoads } from './account-shares.ts'

const rate = 200

test('one-time codes of another account pass a backlog on their route', async () => {
  const result = await measureCodes({ backlog: 20_000, rate, codes: 100, codesPerSecond: 20 })
  assert.deepEqual(result.failures, [])
  assert.ok(result.stillWaiting > 10_000, 'the backlog must not be empty')
  // On a busy machine one code in a hundred may be late.
  const { p50, p99 } = result.urgent.spread
  assertWithin('half of the codes', p50, backlogLimits.urgentP99Ms / 2)
  assertWithin('the codes', p99, backlogLimits.urgentP99Ms * 2)
  assert.ok(result.deepest < backlogLimits.queueSeconds * rate, `${result.deepest} jobs were in the queue`)
})

test('accounts with a backlog get shares by weight, regardless of backlog size', async () => {
  const equal = unequalLoads(10, 200, 3_000)
  const heavier = [2, 5].map((weight) => ({ weight, waiting: 2_500 }))
  const result = await measureShares({ rate, seconds: 5, contenders: [...equal, ...heavier] })
  assert.equal(result.exhausted, 0, 'every account must still have a backlog at the end')
  assert.ok(
    result.maxDeviation <= backlogLimits.shareOff,
    `a share is ${result.maxDeviation * 100} % from fair`,
  )
  assert.ok(result.deepest < backlogLimits.queueSeconds * rate, `${result.deepest} jobs were in the queue`)
})

test('due deadlines are found by an index range regardless of how many are pending', async () => {
  const { database } = await createTestDatabase()
  const costs = await measureDeadlines(database, [100, 20_000])
  for (const { plan } of costs) assert.match(plan, /^Index Scan using in_flight_due/)
})
