import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isClockReady } from './run.ts'

test('a worker with an unreliable clock is not ready; an API is', () => {
  for (const [isMeasured, agrees, expected] of [
    [true, true, { api: true, worker: true, all: true }],
    [true, false, { api: true, worker: false, all: false }],
    [false, true, { api: false, worker: false, all: false }],
  ] as const)
    for (const name of ['api', 'worker', 'all'] as const)
      assert.equal(isClockReady(name, { isMeasured, agrees }), expected[name], name)
})
