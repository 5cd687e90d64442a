/** The small form of `npm run trust:property`: see `model.ts`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { history, runHistory, type Coverage } from './model.ts'

test('nothing is sent from a sender that is not its account’s, and nothing that complies is refused', () => {
  const coverage: Coverage = { drafts: 0, refusedDrafts: 0, submitted: 0, stopped: 0 }
  fc.assert(
    fc.property(history, (events) => runHistory(events, coverage)),
    { numRuns: 2_000 },
  )
  for (const [what, count] of Object.entries(coverage)) assert.ok(count > 100, `${what}: ${count}`)
})
