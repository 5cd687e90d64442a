/** A short run under load, with real worker processes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runWebhookLoad } from './load.ts'
import { listViolations } from './result.ts'

test('bad webhooks do not slow down others, and killed workers lose nothing', async () => {
  const result = await runWebhookLoad({
    endpoints: 20,
    dead: 2,
    slow: 2,
    flaky: 2,
    perSecond: 100,
    seconds: 4,
    workers: 2,
    kill: true,
  })
  const text = JSON.stringify(result)
  assert.deepEqual(listViolations(result), [], text)
  assert.equal(result.written, 400)
  const { acknowledged, states } = result
  assert.ok(acknowledged + states.givenUp >= 320, `all of the healthy and the flaky: ${text}`)
})
