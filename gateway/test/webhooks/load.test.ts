/** The load in small, with real worker processes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runLoad } from './load.ts'

test('dead, slow and failing webhooks slow no other, and kill -9 of a worker loses nothing', async () => {
  const result = await runLoad({
    ...{ endpoints: 20, dead: 2, slow: 2, flaky: 2 },
    ...{ perSecond: 100, seconds: 4, workers: 2, kill: true },
  })
  const told = JSON.stringify(result)
  assert.deepEqual([result.written, result.lost, result.badSignatures], [400, 0, 0], told)
  assert.ok(result.acknowledged >= 320, `all of the healthy and the flaky: ${told}`)
  assert.ok(result.healthy.p99Ms < 2_000, told)
})
