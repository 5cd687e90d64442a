import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { runCommand } from '../../../test/support/command.ts'
import { AccountClient } from '../../../test/support/processes/account-client.ts'
import { createAccount } from '../../../test/support/processes/postern-command.ts'
import { projectRoot } from '../../../test/support/processes/program.ts'
import { TestInstallation } from '../../../test/support/processes/test-installation.ts'
import { submission } from '../../../test/support/smpp/fixtures.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { toProviderResponse } from './providers/kit/response.ts'
import * as kit from './providers/kit/index.ts'
import { createMessage } from './providers/kit/route.ts'
import type { ProviderModule } from './provider-modules.ts'

const aligo = join(projectRoot, 'docs/examples/aligo.ts')
const folder = mkdtempSync(join(tmpdir(), 'postern-providers-'))
addCleanup(() => rmSync(folder, { recursive: true }))

test('a message is sent over a provider that a setting adds', async () => {
  const requests: { readonly path: string; readonly fields: object }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const fields = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()))
      requests.push({ path: request.url!, fields })
      response.writeHead(200).end(JSON.stringify({ result_code: '1', message: 'success', msg_id: '123' }))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = { POSTERN_PROVIDER_MODULES: aligo, POSTERN_ROUTE_SECRET_ALIGO_API_KEY: 'a-key' }
  const installation = await TestInstallation.open(settings)
  let passed = false
  try {
    await installation.putRoute({
      id: 'own',
      channels: ['sms'],
      protocol: 'aligo',
      options: { url, userId: 'me', apiKey: 'env:POSTERN_ROUTE_SECRET_ALIGO_API_KEY' },
    })
    const credentials = await createAccount(installation.environment, 'acme')
    const gateway = await installation.startGateway('all', 'gateway')
    await gateway.untilReady()
    const client = new AccountClient(gateway.url, credentials)
    await client.login()
    const body = { from: '0212345678', to: '01012345678', text: 'Hello', ref: '1' }
    await waitFor('the message', async () => (await client.send('sms', body)).body.code === 'A000')
    await waitFor('the request', () => requests.length > 0)
    const fields = { key: 'a-key', user_id: 'me', sender: '0212345678', receiver: '01012345678' }
    assert.deepEqual(requests[0], { path: '/send/', fields: { ...fields, msg: 'Hello', msg_type: 'SMS' } })
    client.close()
    passed = true
  } finally {
    await installation.close(!passed)
    server.close()
  }
})

for (const [name, content, reason] of [
  ['a missing file', null, /Cannot find module/],
  ['a file that throws', 'throw new Error("broken")', /: broken\./],
  ['a function that throws', 'export default () => { throw new Error("broken") }', /: broken\./],
  ['a file without a function', 'export const provider = {}', /default export must be a function/],
  ['another object', 'export default () => ({ name: "own" })', /summary must be a string/],
  ['nothing', 'export default () => undefined', /name must be 1 to 32/],
  [
    'a name that is taken',
    'export default (kit) => kit.defineProvider({ name: "twilio", summary: "x", channels: ["sms"], sources: [], account: {}, example: {}, login() {}, send() {}, parseResponse() {} })',
    /protocol 'twilio' already exists/,
  ],
] as const)
  test(`a command refuses ${name} in place of a provider, and names the file`, async () => {
    const path = join(folder, `${name.replaceAll(' ', '-')}.js`)
    if (content !== null) writeFileSync(path, content)
    const { exitCode, stderr } = await runCommand({ POSTERN_PROVIDER_MODULES: path }, 'route', 'list')
    assert.equal(exitCode, 2)
    assert.ok(stderr.includes(path))
    assert.match(stderr, reason)
  })

test('the help of a route shows the options of a provider that a setting adds', async () => {
  const { exitCode, stdout } = await runCommand(
    { POSTERN_PROVIDER_MODULES: aligo },
    ...['route', 'put', '--help', 'aligo'],
  )
  assert.equal(exitCode, 0)
  assert.match(stdout, /apiKey .*required/)
})

test('the example reads the responses and the results of Aligo', async () => {
  const { default: create } = (await import(aligo)) as { readonly default: ProviderModule }
  const { parseResponse, lookup } = create(kit)
  const toAnswer = (json: object) => {
    const body = Buffer.from(JSON.stringify(json))
    return toProviderResponse({ kind: 'answer', status: 200, headers: {}, body, retryAfterMs: null })
  }
  const message = createMessage(submission({ part: null }))
  const readKind = (json: object): string => parseResponse(toAnswer(json), message).kind
  assert.equal(readKind({ result_code: '1', msg_id: '123' }), 'accepted')
  assert.equal(readKind({ result_code: -201, message: 'no credit' }), 'account-refused')
  assert.equal(readKind({ result_code: -900, message: 'no' }), 'refused')
  assert.equal(readKind({}), 'unknown')

  const { reference, from, to, given } = message
  const queried = { reference, carrierId: '123', from, to, given, submittedAt: new Date() }
  const result = { receiver: to, send_date: '2026-11-18 12:00:00' }
  const readState = (state: string) =>
    lookup!.read(toAnswer({ result_code: 1, list: [{ ...result, sms_state: state }] }), queried)
  assert.deepEqual(readState('발송완료'), {
    id: '123',
    result: 'delivered',
    code: '발송완료',
    recipient: to,
    at: new Date('2026-11-18T03:00:00Z'),
  })
  assert.deepEqual(
    ['전송실패', '전송중'].map((state) => (readState(state) as { result: string }).result),
    ['failed', 'pending'],
  )
  assert.equal(lookup!.read(toAnswer({ result_code: 1, list: [] }), queried), 'not-found')
  assert.equal(lookup!.read(toAnswer({ result_code: -101 }), queried), null)
})
