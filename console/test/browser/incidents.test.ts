/** Two of the incidents of `npm run console:incidents`, the fastest: their causes are found from the first screen. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { databaseSlow } from '../incidents/database-slow.ts'
import { messageLost } from '../incidents/message-lost.ts'
import { goThrough } from '../incidents/stage.ts'
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

test('a message that a client takes for lost is found by its reference, with what became of it', async () => {
  const [walk] = await goThrough(messageLost, gateway, page, { only: 'message-lost' })
  assert.equal(walk!.clicks, 3)
})

test('a lock that stops what the gateway writes is named on the first screen', async () => {
  const [walk] = await goThrough(databaseSlow, gateway, page)
  assert.equal(walk!.clicks, 0)
  assert.deepEqual(errors, [])
  failed = false
})
