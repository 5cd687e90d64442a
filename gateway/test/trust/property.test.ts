/** The small form of `npm run trust:property`: see `model.ts`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { abuseHistory, runAbuseHistory, type AbuseCoverage } from './abuse-model.ts'
import { advertisingHistory, runAdvertisingHistory, type AdvertisingCoverage } from './advertising-model.ts'
import { history, runHistory, type Coverage } from './model.ts'

test('nothing is sent from a sender that is not its account’s, and nothing that complies is refused', () => {
  const coverage: Coverage = { drafts: 0, refusedDrafts: 0, submitted: 0, stopped: 0 }
  fc.assert(
    fc.property(history, (events) => runHistory(events, coverage)),
    { numRuns: 2_000 },
  )
  for (const [what, count] of Object.entries(coverage)) assert.ok(count > 100, `${what}: ${count}`)
})

test('nothing is accepted beyond a cap or against a protection, and nothing that complies is refused', async () => {
  const coverage: AbuseCoverage = {}
  await fc.assert(
    fc.asyncProperty(abuseHistory, (events) => runAbuseHistory(events, coverage)),
    { numRuns: 1_000 },
  )
  for (const outcome of ['accepted', 'held', 'A306', 'A342', 'A343', 'A344', 'A345'])
    assert.ok((coverage[outcome] ?? 0) > 10, `${outcome}: ${coverage[outcome] ?? 0}`)
})

test('no advertisement is sent at night or to a recipient who opted out, and none that complies is refused', () => {
  const coverage: AdvertisingCoverage = {}
  fc.assert(
    fc.property(advertisingHistory, (events) => runAdvertisingHistory(events, coverage)),
    { numRuns: 1_000 },
  )
  for (const what of ['accepted', 'A324', 'A341', 'submit', 'suppressed', 'hold', 'night'])
    assert.ok((coverage[what] ?? 0) > 50, `${what}: ${coverage[what] ?? 0}`)
})
