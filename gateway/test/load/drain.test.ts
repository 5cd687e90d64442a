import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { AccountClient } from '../support/processes/account-client.ts'
import { createAccount } from '../support/processes/postern-command.ts'
import { choosePort } from '../../../tools/engines/free-ports.ts'
import { TestInstallation } from '../support/processes/test-installation.ts'
import { waitFor } from '../support/wait.ts'

test('an API reports not ready after SIGTERM and serves until its drain delay ends', async (t) => {
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

  const stoppedAt = performance.now()
  const stopped = api.stop()
  await waitFor('the API to report that it is not ready', async () => !(await api.isReady()), {
    timeoutMs: 2_000,
  })
  assert.ok(api.running, 'it must serve while load balancers remove it')
  const response = await client.send('sms', { from: '0212345678', to: '01000001000', text: 'still here' })
  assert.equal(response.body.code, 'A000')
  assert.equal(response.headers.connection, 'close', 'the client must not keep the connection')
  assert.equal(await stopped, true, 'it must exit without being killed')
  assert.ok(performance.now() - stoppedAt >= 3_000, 'it must not exit before its drain delay is over')
  failed = false
})

test('admin process and SMPP server accept connections until their drain delay ends', async (t) => {
  const base = await TestInstallation.open({ POSTERN_DRAIN_DELAY_SECONDS: '3' })
  let failed = true
  t.after(() => base.close(failed))
  await Promise.all(
    (['admin', 'smpp-server'] as const).map(async (role) => {
      const port = await choosePort()
      const setting = role === 'admin' ? 'POSTERN_ADMIN_PORT' : 'POSTERN_SMPP_SERVER_PORT'
      const gateway = await base.startGateway(role, role, { [setting]: String(port) })
      await gateway.untilReady()

      const stoppedAt = performance.now()
      const stopped = gateway.stop()
      await waitFor(`${role} to report that it is not ready`, async () => !(await gateway.isReady()), {
        timeoutMs: 2_000,
      })
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      socket.destroy()
      assert.equal(await stopped, true, `${role} must exit without being killed`)
      assert.ok(
        performance.now() - stoppedAt >= 3_000,
        `${role} must not exit before its drain delay is over`,
      )
    }),
  )
  failed = false
})
