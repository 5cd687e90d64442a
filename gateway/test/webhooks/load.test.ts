/** The load in small, with real worker processes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runLoad } from './load.ts'
import { wrongsOf } from './result.ts'

test('dead, slow and failing webhooks slow no other, and kill -9 of every worker loses nothing', async () => {
  const result = await runLoad({
    ...{ endpoints: 20, dead: 2, slow: 2, flaky: 2 },
    ...{ perSecond: 100, seconds: 4, workers: 2, kill: true },
  })
  const told = JSON.stringify(result)
  assert.deepEqual(wrongsOf(result), [], told)
  assert.equal(result.written, 400)
  const { acknowledged, fates } = result
  assert.ok(acknowledged + fates.givenUp >= 320, `all of the healthy and the flaky: ${told}`)
})
