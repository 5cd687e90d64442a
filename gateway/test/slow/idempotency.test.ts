/**
 * The API is killed (SIGKILL) between publishing and responding: the message is published, and the client
 * repeats the request because it has no response. The test holds back the broker's confirm to kill the
 * process at that moment.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AccountClient, type SendResponse } from '../support/processes/account-client.ts'
import { createAccount, readLedger } from '../support/processes/postern-command.ts'
import { query } from '../support/processes/scratch-database.ts'
import { JsonHttp, NoResponseError, type HttpResponse } from '../support/processes/json-http.ts'
import { TestInstallation } from '../support/processes/test-installation.ts'
import { waitFor } from '../support/wait.ts'
import { createProxy } from '../support/engines/proxy.ts'
import { brokerUrls } from '../support/engines/services.ts'

const body = JSON.stringify({ from: '0234567890', to: '01000000000', text: 'once' })

test('a send repeated after its API was killed stays one message', async (t) => {
  const installation = await TestInstallation.open({ POSTERN_PUBLISH_TIMEOUT_MS: '6000' })
  t.after(() => installation.close(false))
  const proxy = await createProxy(brokerUrls()[0]!)
  const credentials = await createAccount(installation.environment, 'crash')
  await installation.putRoute({ id: 'sandbox', channels: ['sms'] })
  const [doomed, other, worker] = await Promise.all([
    installation.startGateway('api', 'doomed', { POSTERN_BROKER_URLS: proxy.url }),
    installation.startGateway('api', 'other'),
    installation.startGateway('worker', 'worker'),
  ])
  await Promise.all([doomed, other, worker].map((gateway) => gateway.untilReady()))

  const client = new AccountClient(other.url, credentials)
  const token = (await client.login()).body.data!.token
  client.close()
  const send = async (url: string, key: string): Promise<HttpResponse<SendResponse>> => {
    const http = new JsonHttp(url, { connections: 1 })
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    }
    return http.send<SendResponse>('POST', '/v1/send/sms', { headers, body }).finally(() => http.close())
  }
  const reports = (): Promise<{ msg_key: string }[]> =>
    query(installation.databaseUrl, 'select msg_key from reports order by created_at')

  assert.equal((await send(doomed.url, 'first')).httpStatus, 200)
  await waitFor('the first message to end', async () => (await reports()).length === 1, { timeoutMs: 10_000 })

  proxy.mute()
  const unanswered = send(doomed.url, 'doomed').then(
    () => assert.fail('it must not be answered'),
    (error: unknown) => assert.ok(error instanceof NoResponseError),
  )
  const published = await waitFor(
    'the unanswered message to end',
    async () => (await reports())[1]?.msg_key,
    { timeoutMs: 10_000 },
  )
  await doomed.kill()
  await unanswered
  proxy.unmute()

  const again = await waitFor(
    'the dead claim to end',
    async () => {
      const response = await send(other.url, 'doomed')
      if (response.body.code !== 'A022') return response
      assert.equal(response.httpStatus, 503)
      return null
    },
    { timeoutMs: 20_000 },
  )
  assert.deepEqual([again.httpStatus, again.body.msgKey], [200, published])
  const replayed = await send(other.url, 'doomed')
  assert.deepEqual([replayed.body, replayed.headers['idempotency-replayed']], [again.body, 'true'])

  // When this later message has ended, a repeated one would have been recorded as well.
  const last = await send(other.url, 'last')
  await waitFor(
    'the last message to end',
    async () => (await reports()).some((row) => row.msg_key === last.body.msgKey),
    { timeoutMs: 10_000 },
  )
  assert.equal((await reports()).length, 3)
  const { accepted, final, inFlight, gap } = await readLedger(installation.environment)
  assert.deepEqual({ accepted, final, inFlight, gap }, { accepted: 3, final: 3, inFlight: 0, gap: 0 })
  assert.deepEqual(installation.unexpectedExits, [])
})
