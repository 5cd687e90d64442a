/** `postern route try` prints the exact request with masked secrets, and sends it only with --send. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { openRbmPeer } from '../../../test/contract/connector-conformance/rbm-peer.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { runCommand } from '../../../test/support/command.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { upsertRoute } from '../../carriers/routes/queries.ts'

const { database, url } = await createTestDatabase()
const environment = {
  POSTERN_DATABASE_URL: url,
  POSTERN_TOKEN_SECRET: 'x'.repeat(32),
  POSTERN_ROUTE_SECRET_ACME_TOKEN: 'hush-hush',
}
const bodies: string[] = []
const server = createServer((request, response) => {
  request.setEncoding('utf8').on('data', (text: string) => bodies.push(text))
  request.on('end', () => response.end('{"messages":[{"status":"0","message-id":"m-1"}]}'))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
addCleanup(() => void server.close())

const options = {
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  apiKey: 'abc',
  apiSecret: 'env:POSTERN_ROUTE_SECRET_ACME_TOKEN',
}
const run = (...args: string[]): ReturnType<typeof runCommand> => runCommand(environment, 'route', ...args)

test('prints the request, and sends it only with --send', async () => {
  const put = ['put', 'acme', '--protocol', 'vonage', '--channels', 'sms']
  const refused = await run(...put, '--options', JSON.stringify({ ...options, apiSecrt: 'x' }))
  assert.equal(refused.exitCode, 2)
  assert.match(refused.stderr, /unknown option apiSecrt; did you mean apiSecret\?/)
  assert.equal((await run(...put, '--options', JSON.stringify(options))).exitCode, 0)

  const shown = await run('try', 'acme', '--to', '01012345678', '--text', 'Hi "{from}"')
  assert.equal(shown.exitCode, 0, shown.stderr)
  assert.match(shown.stdout, /^POST http:\/\/127\.0\.0\.1:\d+\/sms\/json\n/)
  assert.match(shown.stdout, /^api_key=abc&api_secret=\*\*\*&.*&to=821012345678&text=Hi\+%22%7Bfrom%7D%22&/m)
  assert.doesNotMatch(shown.stdout, /hush/)
  assert.deepEqual(bodies, [])

  const sent = await run('try', 'acme', '--to', '01012345678', '--text', 'Hi', '--send', '--json')
  const result = JSON.parse(sent.stdout) as Record<string, unknown>
  assert.deepEqual([sent.exitCode, result['outcome']], [0, { kind: 'accepted', carrierId: 'm-1' }])
  assert.equal(bodies.length, 1)
  assert.match(bodies[0]!, /^api_key=abc&api_secret=hush-hush&.*&to=821012345678&text=Hi&/)
})

test('senders of a route are checked when saved, and shown as the carrier gets them', async () => {
  const put = ['put', 'abroad', '--protocol', 'vonage', '--channels', 'sms,international', '--options']
  const withSenders = (senders: object): string => JSON.stringify({ ...options, senders })
  for (const [senders, reason] of [
    [{ 1: '+82234567890' }, /senders\.1 must be a Korean number/],
    [{ 44: 'Acme Corporation' }, /senders\.44 must be a Korean number/],
    [{ 82: '0234567890' }, /senders must have calling codes .* 82 is not allowed/],
    [{ 8: 'Acme' }, /senders must have calling codes/],
    [{ '+44': 'Acme' }, /senders must have calling codes/],
  ] as const) {
    const { exitCode, stderr } = await run(...put, withSenders(senders))
    assert.equal(exitCode, 2)
    assert.match(stderr, reason)
  }
  assert.equal((await run(...put, withSenders({ 1: '+12025550123', 44: 'Acme' }))).exitCode, 0)
  for (const [to, from] of [
    ['+12025550188', '12025550123'],
    ['+447700900123', 'Acme'],
    ['+4915112345678', '82234567890'],
    ['01012345678', '82234567890'],
  ] as const) {
    const { stdout } = await run('try', 'abroad', '--to', to, '--from', '0234567890', '--text', 'Hi')
    assert.ok(stdout.includes(`&from=${from}&`), stdout)
  }
})

test('a header that authenticates the request is masked', async () => {
  const infobip = { url: options.url, apiKey: 'hush-literal' }
  const put = ['put', 'written', '--protocol', 'infobip', '--channels', 'sms', '--options']
  assert.equal((await run(...put, JSON.stringify(infobip))).exitCode, 0)
  const { stdout } = await run('try', 'written', '--to', '01012345678', '--text', 'Hi')
  assert.match(stdout, /^authorization: \*\*\*$/m)
  assert.doesNotMatch(stdout, /hush/)
})

test('a setting of the gateway is neither saved as a secret nor sent', async () => {
  const leak = { ...options, apiSecret: 'env:POSTERN_TOKEN_SECRET' }
  const put = ['put', 'own', '--protocol', 'vonage', '--channels', 'sms', '--options', JSON.stringify(leak)]
  await upsertRoute(database, testRoute('stored', { protocol: 'vonage', options: leak }))
  const before = bodies.length
  for (const args of [put, ['try', 'stored', '--to', '01012345678', '--text', 'Hi', '--send']]) {
    const { exitCode, stderr } = await run(...args)
    assert.notEqual(exitCode, 0)
    assert.match(stderr, /route options must not reference env:POSTERN_TOKEN_SECRET/)
  }
  assert.equal(bodies.length, before)
})

test('a route for MMS shows an LMS', async () => {
  const mm7 = {
    dialect: 'kt',
    url: 'http://127.0.0.1:1/',
    vaspId: 'v',
    vasId: 'v',
    partnerId: 'p',
    user: 'u',
    password: 'env:POSTERN_ROUTE_SECRET_ACME_TOKEN',
    webhookToken: 'token-of-the-reports',
  }
  const put = ['put', 'mmsc', '--protocol', 'mm7', '--channels', 'mms', '--options', JSON.stringify(mm7)]
  assert.equal((await run(...put)).exitCode, 0)
  const shown = await run('try', 'mmsc', '--to', '01012345678', '--text', '안녕하세요')
  assert.equal(shown.exitCode, 0, shown.stderr)
  assert.match(shown.stdout, /^authorization: Basic \*\*\*$/m)
  assert.match(shown.stdout, /<Number>01012345678<\/Number>[^]*안녕하세요/)
  assert.doesNotMatch(shown.stdout, /aHVzaC|hush/)
})

test('the preview of an advertisement has its mark', async () => {
  const mm7 = {
    dialect: '3gpp',
    url: 'http://127.0.0.1:1/',
    vaspId: 'v',
    vasId: 'v',
    webhookToken: 'token-of-the-reports',
  }
  const put = ['put', 'mmsc-ad', '--protocol', 'mm7', '--channels', 'mms', '--options', JSON.stringify(mm7)]
  assert.equal((await run(...put)).exitCode, 0)
  const shown = await run('try', 'mmsc-ad', '--to', '01012345678', '--text', '(광고) 할인')
  assert.match(shown.stdout, /<MessageClass>Advertisement</)
})

test('a route for RCS shows an RCS message, and --send waits for the login', async () => {
  const peer = await openRbmPeer({ inbound: () => Promise.reject(new Error('not used')) })
  try {
    const rbm = JSON.stringify(peer.options)
    assert.equal(
      (await run('put', 'google', '--protocol', 'rbm', '--channels', 'rcs', '--options', rbm)).exitCode,
      0,
    )
    const shown = await run('try', 'google', '--to', '01012345678', '--text', '안녕하세요')
    assert.equal(shown.exitCode, 0, shown.stderr)
    assert.match(shown.stdout, /^POST http:.*\/v1\/phones\/\+821012345678\/agentMessages\?messageId=/)
    assert.match(shown.stdout, /^authorization: Bearer \*\*\*$/m)
    assert.match(shown.stdout, /^\{"contentMessage":\{"text":"안녕하세요"\},/m)
    assert.equal(peer.requests.length, 0)
    const sent = await run('try', 'google', '--to', '01012345678', '--text', 'Hi', '--send')
    assert.deepEqual([sent.exitCode, peer.received.length], [0, 1])
  } finally {
    await peer.close()
  }
})

test('a route to an RCS carrier shows its first request with a masked brand', async () => {
  const kt = {
    url: 'http://127.0.0.1:1/ag/1.2',
    clientId: 'c',
    clientSecret: 'env:POSTERN_ROUTE_SECRET_ACME_TOKEN',
  }
  const keys = { agencyId: 'a', agencyKey: 'AK.hush', webhookToken: 'token-of-the-statuses' }
  const maap = JSON.stringify({ carriers: { kt }, ...keys })
  const put = ['put', 'kt', '--protocol', 'maap', '--channels', 'rcs', '--options', maap]
  assert.equal((await run(...put)).exitCode, 0)
  const message = ['--to', '01012345678', '--text', '안녕하세요']
  const without = await run('try', 'kt', ...message)
  assert.deepEqual([without.exitCode, /brand key/.test(without.stderr)], [2, true])
  const shown = await run('try', 'kt', ...message, '--brand-key', 'BK.hush')
  assert.equal(shown.exitCode, 0, shown.stderr)
  assert.match(shown.stdout, /^POST http:\/\/127\.0\.0\.1:1\/ag\/1\.2\/message$/m)
  assert.match(shown.stdout, /"agencyKey":"\*\*\*","brandKey":"\*\*\*".*"description":"안녕하세요"/)
  assert.doesNotMatch(shown.stdout, /hush/)
})

test('a route for Kakao shows an alimtalk, or a text of its other channels', async () => {
  const kakao = JSON.stringify({ partnerKey: 'env:POSTERN_ROUTE_SECRET_ACME_TOKEN', brandPath: 'brand/path' })
  const put = (channels: string) =>
    run('put', 'talk', '--protocol', 'kakao', '--channels', channels, '--options', kakao)
  const message = ['--to', '01012345678', '--text', '안녕하세요', '--sender-key', 'profile']
  await put('alimtalk,friendtalk')
  const without = await run('try', 'talk', ...message)
  assert.deepEqual([without.exitCode, /--template is required/.test(without.stderr)], [2, true])
  const shown = await run('try', 'talk', ...message, '--template', 'T1')
  assert.equal(shown.exitCode, 0, shown.stderr)
  assert.match(shown.stdout, /^POST https:\/\/bzm-api\.kakao\.com\/v3\/\*\*\*\/alimtalk\/send$/m)
  assert.match(shown.stdout, /"phone_number":"821012345678","template_code":"T1","message":"안녕하세요"/)
  assert.doesNotMatch(shown.stdout, /hush/)
  await put('brandmessage')
  assert.match((await run('try', 'talk', ...message)).stdout, /"chat_bubble_type":"TEXT".*"targeting":"I"/)
  await put('friendtalk')
  assert.match((await run('try', 'talk', ...message)).stderr, /set friendtalk to convert/)
})

test('an unknown route or one without requests is refused', async () => {
  const absent = await run('try', 'none', '--to', '01012345678', '--text', 'x')
  assert.deepEqual([absent.exitCode, absent.stdout], [1, ''])
  await run('put', 'box', '--protocol', 'sandbox', '--channels', 'sms')
  const sandbox = await run('try', 'box', '--to', '01012345678', '--text', 'x')
  assert.match(
    sandbox.stderr,
    /uses the protocol sandbox, whose requests cannot be shown\. `postern route list` shows/,
  )
})
