/**
 * Tests the client on Node against a real gateway. `npm run suite -- client:test` runs the same scenario on
 * every runtime.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openInstallation } from './installation.ts'
import { runScenario } from './scenario.ts'

const installation = await openInstallation()
let failed = false
after(() => installation.close(failed))

const lines = await runScenario(await installation.settings('node'))
for (const line of lines) {
  test(line.replace(/^(ok|FAILED) | \(\d+ ms\)$/g, ''), () => {
    failed ||= !line.startsWith('ok ')
    assert.ok(line.startsWith('ok '), line)
  })
}
