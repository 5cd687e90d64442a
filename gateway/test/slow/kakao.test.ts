/**
 * Kakao messages from a client to Kakao and back, with real processes: one gateway and a simulated Kakao, with results of image
 * alimtalk by polling and all others in the response. Every message is accepted by Kakao once and has one
 * report, also when its answer was lost and when the gateway is killed while it takes results.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { AccountClient, type Report, type SendAnswer } from '../support/processes/account-client.ts'
import { createAccount, postern } from '../support/processes/postern-command.ts'
import { Program } from '../support/processes/program.ts'
import { TestInstallation } from '../support/processes/test-installation.ts'
import { makeJpeg } from '../support/files/images.ts'
import { multipartBody, multipartType } from '../support/files/multipart.ts'
import { waitFor } from '../support/wait.ts'

const senderKey = 'a'.repeat(40)
const alimtalk = { senderKey, msgType: 'AI', templateCode: 'T1', text: '안녕하세요' }
const pushed = { ...alimtalk, msgType: 'AT' }
const count = 200

interface Stats {
  readonly accepted: number
  readonly receiptsSent: number
  readonly receiptsPending: number
}

test('Kakao messages have one submission and one report each, whatever happens to results', async (t) => {
  const installation = await TestInstallation.open({ POSTERN_STEP_TTL_SECONDS: '60' })
  let failed = true
  t.after(() => installation.close(failed))
  const gateway = await installation.startGateway('all', 'all')
  await gateway.untilReady()
  const kakao = new Program({
    name: 'kakao',
    script: 'simulator/src/main.ts',
    args: [
      ...['kakao', '--port', '0', '--control-port', '0', '--partner-key', 'key', '--batch-size', '20'],
      ...['--receipt-delay-ms', '1000'],
    ],
    environment: {},
    directory: installation.directory,
  })
  kakao.start()
  t.after(() => kakao.stop())
  const line = await waitFor('the simulator', async () =>
    (await readFile(kakao.logFile, 'utf8')).split('\n').find((text) => text.includes('"ready"')),
  )
  const { port, controlPort } = JSON.parse(line) as { readonly port: number; readonly controlPort: number }
  const address = `http://127.0.0.1:${port}`
  const control = async <T>(path: string): Promise<T> =>
    (await (await fetch(`http://127.0.0.1:${controlPort}${path}`)).json()) as T
  const options = {
    url: address,
    uploadUrl: address,
    partnerKey: 'key',
    channelKey: 'postern',
    results: { AT: 'push', AI: 'polling' },
    ...{ responseTimeoutMs: 1_000, throttleRetryMs: 20, pollIntervalMs: 50 },
  }
  const route = [
    'route',
    'put',
    'talk',
    '--channels',
    'alimtalk,friendtalk,brandmessage',
    '--protocol',
    'kakao',
  ]
  const [credentials] = await Promise.all([
    createAccount(installation.environment, 'kakao'),
    postern(installation.environment, ...route, '--options', JSON.stringify(options)),
    installation.putRoute({ id: 'box', channels: ['sms'] }),
  ])
  const client = new AccountClient(gateway.url, credentials)
  t.after(() => client.close())
  await waitFor('the account', async () => (await client.login()).httpStatus === 200, { everyMs: 200 })
  await waitFor('both links', async () => (await gateway.metric('postern_route_linked')) === 2, {
    timeoutMs: 20_000,
  })

  const login = (await client.requestToken(credentials)).body.data!
  const photo = { senderKey, msgType: 'FI', text: '사진' }
  const bubble = { ...photo, imgUrl: await upload(`${gateway.url}/v1/file/FRIENDTALK/FI`, login) }
  const fallback = { type: 'SMS', from: '0212345678', text: 'Hello' }
  const brandImage = await upload(`${gateway.url}/v1/file/BRANDMESSAGE/default`, login)
  const brand = { ...photo, imgUrl: brandImage, sendType: 'free', originCID: '123456789' }
  /** Channel, body without recipient, ending, and the codes of its reports: one for each channel that was tried. */
  const cases: readonly (readonly [string, object, string, string])[] = [
    ['alimtalk', alimtalk, '0001', '10000'],
    // Throttled once.
    ['alimtalk', alimtalk, '0009', '10000'],
    // The answer is lost; the result names the serial number that we chose.
    ['alimtalk', alimtalk, '0012', '10000'],
    ['alimtalk', alimtalk, '0002', '63019'],
    // The sandbox, which takes the fallback, fails this number as well.
    ['alimtalk', { ...alimtalk, fallback }, '0002', '63019 23001'],
    ['alimtalk', { ...pushed, fallback }, '0001', '10000'],
    ['alimtalk', pushed, '0016', '63018'],
    ['friendtalk', bubble, '0001', '10000'],
    ['friendtalk', { ...bubble, fallback }, '0002', '63019 23001'],
    ['friendtalk', bubble, '0007', '63020'],
    ['brandmessage', brand, '0001', '10000'],
    ['brandmessage', brand, '0016', '63018'],
  ]
  const keys = new Map<string, string>()
  const send = async (channel: string, body: object, to: string, expected: string): Promise<void> => {
    const answer = await client.call<SendAnswer>(
      'POST',
      `/v1/send/${channel}`,
      JSON.stringify({ ...body, to }),
    )
    assert.equal(answer.body.code, 'A000', `${channel} ${to}: ${answer.body.result}`)
    keys.set(answer.body.msgKey!, expected)
  }
  for (const [index, [channel, body, ending, expected]] of cases.entries())
    await send(channel, body, `010${String(index).padStart(4, '0')}${ending}`, expected)

  const reports: Report[] = []
  const wanted = (): number => [...keys.values()].join(' ').split(' ').length
  const collect = (what: string): Promise<unknown> =>
    waitFor(
      what,
      async () => {
        const { body } = await client.poll()
        if (body.data === undefined || body.data.reportId === '') return reports.length >= wanted()
        const { reportId, report } = body.data
        if ((await client.acknowledge(reportId)).body.code === 'A000') reports.push(...report)
        return reports.length >= wanted()
      },
      { timeoutMs: 60_000, everyMs: 100 },
    )
  await collect('a report of every case')

  const before = (await control<Stats>('/stats')).accepted
  await Promise.all(
    Array.from({ length: count }, (_, n) =>
      send('alimtalk', { ...alimtalk, text: `번호 ${n}` }, `0105555${String(n).padStart(4, '7')}`, '10000'),
    ),
  )
  await waitFor('all submissions', async () => (await control<Stats>('/stats')).accepted === before + count)
  const sent = (await control<Stats>('/stats')).receiptsSent
  // Batches are being taken: some are stored and not completed, some stored in part.
  await waitFor('the first batch', async () => (await control<Stats>('/stats')).receiptsSent > sent, {
    everyMs: 5,
  })
  await gateway.kill()
  gateway.start()
  await gateway.untilReady()
  await waitFor('the login', async () => (await client.login()).httpStatus === 200, { everyMs: 200 })
  await collect('a report of every message')

  assert.equal((await control<Stats>('/stats')).accepted, before + count, 'nothing was accepted twice')
  await waitFor(
    'all results to be completed',
    async () => (await control<Stats>('/stats')).receiptsPending === 0,
  )
  for (const [msgKey, codes] of keys) {
    const own = reports.filter((report) => report.msgKey === msgKey)
    assert.equal(own.map(({ reportCode }) => reportCode).join(' '), codes, own[0]?.serviceType)
  }
  assert.equal(reports.length, wanted(), 'no other reports')
  failed = false
})

async function upload(
  url: string,
  { schema, token }: { readonly schema: string; readonly token: string },
): Promise<string> {
  const content = makeJpeg(800, 400, 20_000)
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': multipartType, authorization: `${schema} ${token}` },
    body: new Uint8Array(multipartBody({ content, fileName: 'a.jpg', contentType: 'image/jpeg' })),
  })
  const { data } = (await answer.json()) as { readonly data?: { readonly imgUrl: string } }
  assert.ok(data, `upload: ${answer.status}`)
  return data.imgUrl
}
