/** A short run under load, with real worker processes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runLoad } from './load.ts'
import { violationsOf } from './result.ts'

test('dead, slow and failing webhooks do not slow down others, and kill -9 of every worker loses nothing', async () => {
  const result = await runLoad({
    ...{ endpoints: 20, dead: 2, slow: 2, flaky: 2 },
    ...{ perSecond: 100, seconds: 4, workers: 2, kill: true },
  })
  const text = JSON.stringify(result)
  assert.deepEqual(violationsOf(result), [], text)
  assert.equal(result.written, 400)
  const { acknowledged, states } = result
  assert.ok(acknowledged + states.givenUp >= 320, `all of the healthy and the flaky: ${text}`)
})
