/** Runs the two fastest incidents of `npm run suite -- console:incidents`. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { databaseSlow } from '../incidents/database-slow.ts'
import { messageLost } from '../incidents/message-lost.ts'
import { goThrough } from '../incidents/test-bed.ts'
import { signIn } from '../support/browser.ts'
import { openConsole } from '../support/console-installation.ts'
import { sharePage } from '../support/shared-browser.ts'

const gateway = await openConsole(messageLost.options)
let failed = true
after(async () => {
  await gateway.close(failed)
})
const { page, errors } = await sharePage()
await signIn(page, gateway.url, gateway.keys.operator)

test('a message without a report is found by its ref', async () => {
  const [walk] = await goThrough(messageLost, gateway, page, { only: 'message-lost' })
  assert.equal(walk!.clicks, 3)
})

test('the first screen names a lock that blocks writes', async () => {
  const [walk] = await goThrough(databaseSlow, gateway, page)
  assert.equal(walk!.clicks, 0)
  assert.deepEqual(errors, [])
  failed = false
})
