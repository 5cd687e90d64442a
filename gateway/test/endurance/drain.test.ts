/** An API that is told to stop says so first, serves on for a while, and ends by itself. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AccountClient } from '../support/processes/account-client.ts'
import { createAccount } from '../support/processes/postern-command.ts'
import { TestInstallation } from '../support/processes/test-installation.ts'
import { waitFor } from '../support/wait.ts'

test('an API that got SIGTERM is not ready any more and still accepts, until its delay is over', async (t) => {
  const base = await TestInstallation.open({ POSTERN_DRAIN_DELAY_SECONDS: '3' })
  let failed = true
  t.after(() => base.close(failed))
  const credentials = await createAccount(base.environment, 'drain')
  const api = await base.startGateway('api', 'api')
  await api.untilReady()
  const client = new AccountClient(api.url, credentials)
  t.after(() => client.close())
  await waitFor('the account to be known', async () => (await client.login()).httpStatus === 200, {
    timeoutMs: 10_000,
  })

  const told = performance.now()
  const stopped = api.stop()
  await waitFor('the API to say that it leaves', async () => !(await api.isReady()), { timeoutMs: 2_000 })
  assert.ok(api.running, 'it must serve on while balancers leave it')
  const answer = await client.send('sms', { from: '0212345678', to: '01000001000', text: 'still here' })
  assert.equal(answer.body.code, 'A000')
  assert.equal(answer.headers.connection, 'close', 'the client must not keep the connection')
  assert.equal(await stopped, true, 'it must end by itself')
  assert.ok(performance.now() - told >= 3_000, 'it must not leave before its delay is over')
  failed = false
})
