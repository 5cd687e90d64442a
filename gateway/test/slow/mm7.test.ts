/**
 * LMS and MMS from a client to an MMSC and back, with real processes: one gateway and a simulated MMSC of KT, which posts its
 * reports to the inbound path. Every message reaches the carrier once, also when its answer was lost, and gets its report.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { AccountClient, type Report } from '../support/processes/account-client.ts'
import { createAccount, postern } from '../support/processes/postern-command.ts'
import { Program } from '../support/processes/program.ts'
import { TestInstallation } from '../support/processes/test-installation.ts'
import { makeJpeg } from '../support/files/images.ts'
import { multipartBody, multipartType } from '../support/files/multipart.ts'
import { waitFor } from '../support/wait.ts'

const token = 'token-of-the-reports'

interface Received {
  readonly to: string
  readonly originCode: string | null
  readonly parts: readonly { readonly contentType: string; readonly sha256: string }[]
}

test('LMS and MMS over MM7 have one submission and one report each', async (t) => {
  const installation = await TestInstallation.open({ POSTERN_STEP_TTL_SECONDS: '60' })
  let failed = true
  t.after(() => installation.close(failed))
  const gateway = await installation.startGateway('all', 'all')
  await gateway.untilReady()
  const mmsc = new Program({
    name: 'mmsc',
    script: 'simulator/src/main.ts',
    args: [
      ...['mm7', '--dialect', 'kt', '--port', '0', '--control-port', '0', '--partner-id', 'partner'],
      ...['--require-origin', '--report-url', `${gateway.url}/inbound/kt/${token}`],
    ],
    environment: {},
    directory: installation.directory,
  })
  mmsc.start()
  t.after(() => mmsc.stop())
  const line = await waitFor('the MMSC', async () =>
    (await readFile(mmsc.logFile, 'utf8')).split('\n').find((text) => text.includes('"ready"')),
  )
  const { port, controlPort } = JSON.parse(line) as { readonly port: number; readonly controlPort: number }
  const options = {
    ...{
      dialect: 'kt',
      url: `http://127.0.0.1:${port}/`,
      vaspId: 'vasp',
      vasId: 'vas',
      partnerId: 'partner',
    },
    ...{ webhookToken: token, throttleRetryMs: 20, responseTimeoutMs: 1_000 },
  }
  const [credentials] = await Promise.all([
    createAccount(installation.environment, 'mm7'),
    postern(
      installation.environment,
      ...[
        'route',
        'put',
        'kt',
        '--channels',
        'mms',
        '--protocol',
        'mm7',
        '--options',
        JSON.stringify(options),
      ],
    ),
    // The neighbour.
    installation.putRoute({ id: 'box', channels: ['sms'] }),
  ])
  const client = new AccountClient(gateway.url, credentials)
  t.after(() => client.close())
  await waitFor('the account', async () => (await client.login()).httpStatus === 200, { everyMs: 200 })
  await waitFor('both links', async () => (await gateway.metric('postern_route_linked')) === 2, {
    timeoutMs: 20_000,
  })

  const { data: login } = (await client.requestToken(credentials)).body
  assert.ok(login)
  const image = makeJpeg(200, 200, 20_000)
  const uploaded = await fetch(`${gateway.url}/v1/file/MMS`, {
    method: 'POST',
    headers: { 'content-type': multipartType, authorization: `${login.schema} ${login.token}` },
    body: new Uint8Array(multipartBody({ content: image, fileName: 'a.jpg', contentType: 'image/jpeg' })),
  })
  const { data } = (await uploaded.json()) as { readonly data?: { readonly fileKey: string } }
  assert.ok(data, `upload: ${uploaded.status}`)

  /** Report codes by the end of the recipient's number. */
  const expected: Readonly<Record<string, readonly [code: string, carrier: string]>> = {
    '0001': ['10000', '10000'],
    // Throttled once.
    '0009': ['10000', '10000'],
    // The answer is lost, and KT refuses the repeat as a duplicate.
    '0012': ['10000', '10000'],
    '0051': ['', '10001'],
  }
  const keys = new Map<string, string>()
  for (const [index, ending] of Object.keys(expected).entries()) {
    const text = { from: '0212345678', to: `0101234${ending}`, text: '안녕하세요', originCID: '123456789' }
    const body = index % 2 === 0 ? { ...text, fileKey: [data.fileKey] } : text
    const answer = await client.send('mms', body)
    assert.equal(answer.body.code, 'A000', ending)
    keys.set(answer.body.msgKey!, ending)
  }
  const sms = await client.send('sms', { from: '0212345678', to: '01012340001', text: 'Hello' })
  keys.set(sms.body.msgKey!, 'sms')

  const reports = new Map<string, Report[]>()
  await waitFor(
    'all reports',
    async () => {
      const { body } = await client.poll()
      for (const report of body.data?.report ?? []) {
        const ending = keys.get(report.msgKey)!
        reports.set(ending, [...(reports.get(ending) ?? []), report])
      }
      if (body.data !== undefined) await client.acknowledge(body.data.reportId)
      return reports.size === keys.size
    },
    { timeoutMs: 60_000, everyMs: 200 },
  )
  for (const [ending, [code, carrier]] of Object.entries(expected)) {
    const [report, ...more] = reports.get(ending)!
    assert.deepEqual(more, [], ending)
    if (code === '') assert.notEqual(report!.reportCode, '10000', ending)
    else assert.equal(report!.reportCode, code, ending)
    if (carrier !== '10000') assert.equal(report!.carrier, carrier, ending)
  }
  const { submissions } = (await (
    await fetch(`http://127.0.0.1:${controlPort}/submissions?limit=100`)
  ).json()) as {
    readonly submissions: readonly Received[]
  }
  assert.deepEqual(submissions.map(({ to }) => to.slice(-4)).toSorted(), Object.keys(expected).toSorted())
  assert.ok(submissions.every(({ originCode }) => originCode === '123456789'))
  const sha256 = createHash('sha256').update(image).digest('hex')
  const withImage = submissions.filter(({ parts }) => parts.some((part) => part.sha256 === sha256))
  assert.deepEqual(withImage.map(({ to }) => to.slice(-4)).toSorted(), ['0001', '0012'])
  failed = false
})
