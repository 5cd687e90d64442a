/** What /readyz says of the clock, by role. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isClockReady } from './run.ts'

test('a process that leaves work undone because of the clocks is not ready; an API does all its work', () => {
  for (const [isMeasured, agrees, expected] of [
    [true, true, { api: true, worker: true, all: true }],
    [true, false, { api: true, worker: false, all: false }],
    [false, true, { api: false, worker: false, all: false }],
  ] as const)
    for (const name of ['api', 'worker', 'all'] as const)
      assert.equal(isClockReady(name, { isMeasured, agrees }), expected[name], name)
})
