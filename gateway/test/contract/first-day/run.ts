/**
 * `npm run suite -- first-day [--json]` sends the first requests of a new client to a new installation
 * with default settings, with each of five client programs. The only setup is an account per program, its
 * senders and a sandbox route. Prints status and code of every response. Exits with 1 if a response is unexpected or
 * missing. Skips programs that are not installed.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { pythonWithRequests, works } from '../../../../tools/engines/install/install.ts'
import { AccountClient, type Credentials } from '../../support/processes/account-client.ts'
import { prepareIn, type Environment } from '../../support/processes/postern-command.ts'
import { inherited, projectRoot } from '../../support/processes/program.ts'
import { registerSenders } from '../../support/processes/register-senders.ts'
import { TestInstallation } from '../../support/processes/test-installation.ts'
import { waitFor } from '../../support/wait.ts'
import { bodies, findExpectedResponse, image, senders } from './requests.ts'

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } })
const run = promisify(execFile)
const clientTimeoutMs = 60_000

const python = pythonWithRequests()

interface Program {
  readonly name: string
  /** Command and its file in `clients`; null if the program is not installed. */
  readonly command: readonly [string, string] | null
}

const programs: readonly Program[] = [
  { name: 'axios', command: [process.execPath, 'axios.ts'] },
  { name: 'fetch', command: [process.execPath, 'fetch.ts'] },
  { name: 'undici', command: [process.execPath, 'undici.ts'] },
  { name: 'curl', command: works('curl', '--version') ? ['bash', 'curl.sh'] : null },
  { name: 'python-requests', command: python === undefined ? null : [python, 'python-requests.py'] },
]

interface Row {
  readonly request: string
  readonly program: string
  readonly status: number
  readonly code: string
  readonly body: string
  readonly asExpected: boolean
}

const channels = ['sms', 'mms', 'international', 'rcs', 'alimtalk', 'friendtalk', 'brandmessage']

interface Client {
  readonly program: string
  readonly command: readonly [string, string]
  readonly account: Credentials
}

async function createClient({ name, command }: Program): Promise<Client | null> {
  if (command === null) return null
  const { environment } = installation
  const created = await prepareIn(projectRoot, environment, 'account', 'create', '--json', '--name', name)
  const account = JSON.parse(created) as Credentials
  await registerSenders(installation, account.clientId, senders)
  return { program: name, command, account }
}

async function runClient({ program, command, account }: Client, url: string): Promise<Row[]> {
  const folder = join(installation.directory, program)
  mkdirSync(folder)
  writeFileSync(join(folder, 'image.jpg'), image)
  for (const [name, body] of Object.entries(bodies))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(body))
  const before = new Date()
  const stdout = await runProgram(program, command, {
    BASE_URL: url,
    CLIENT_ID: account.clientId,
    PASSWORD: account.password,
    BODIES: folder,
  })
  const after = new Date()
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const [request = '', status, body = ''] = line.split('\t')
    const { code } = JSON.parse(body) as { readonly code: string }
    const asExpected = [before, after].some((at) => {
      const expected = findExpectedResponse(request, at)
      return expected.status === Number(status) && expected.code === code && expected.bodyPattern.test(body)
    })
    return { request, program, status: Number(status), code, body, asExpected }
  })
}

/** The fields of a report that the contract gives to every message. */
const recordFields = [
  ...['msgKey', 'serviceType', 'msgType', 'sendTime', 'reportTime', 'reportType', 'reportCode'],
  ...['reportText', 'carrier', 'ref'],
]

/** Compares polling and inquiry of an account for movers, key by key, with the tables of the contract. */
async function comparePlainKeys(url: string): Promise<void> {
  const { environment } = installation
  const options = ['--json', '--name', 'plain', '--report-keys', 'plain']
  const account = JSON.parse(
    await prepareIn(projectRoot, environment, 'account', 'create', ...options),
  ) as Credentials
  await registerSenders(installation, account.clientId, senders)
  const client = new AccountClient(url, account)
  const wait = { timeoutMs: 20_000, everyMs: 200 }
  await waitFor('the plain account', async () => (await client.login()).httpStatus === 200, wait)
  await waitFor(
    'its sender',
    async () =>
      (await client.call<{ code: string }>('POST', '/v1/send/sms', JSON.stringify(bodies['sms']))).body
        .code === 'A000',
    wait,
  )
  const polled = await waitFor(
    'its report',
    async () => {
      const { body } = await client.call<ReportEnvelope>('GET', '/v1/report/polling')
      return body.data.report.length > 0 ? body : null
    },
    wait,
  )
  const [record] = polled.data.report
  const inquired = (await client.call<ReportEnvelope>('GET', `/v1/report/inquiry/${record!['msgKey']}`)).body
  client.close()
  compareKeys('polling', polled, ['code', 'result', 'data'])
  compareKeys('polling data', polled.data, ['reportId', 'report'])
  compareKeys('polling record', record!, recordFields)
  compareKeys('inquiry', inquired, ['code', 'result', 'data'])
  compareKeys('inquiry data', inquired.data, ['report'])
  compareKeys('inquiry record', inquired.data.report[0] ?? {}, recordFields)
}

interface ReportEnvelope {
  readonly data: { readonly report: readonly Readonly<Record<string, string>>[] }
}

function compareKeys(name: string, found: object, expected: readonly string[]): void {
  const keys = Object.keys(found).sort().join(', ')
  if (keys !== expected.toSorted().join(', '))
    failures.push(`${name} with plain report keys has the fields ${keys}`)
}

/** Returns the output of the program, even if it failed. */
async function runProgram(
  name: string,
  [command, file]: Client['command'],
  settings: Environment,
): Promise<string> {
  const env = { ...inherited(), ...settings }
  try {
    const script = join(import.meta.dirname, 'clients', file)
    return (await run(command, [script], { env, timeout: clientTimeoutMs })).stdout
  } catch (error) {
    const { message, stdout } = error as Error & { readonly stdout: string }
    failures.push(`${name}: ${message}`)
    return stdout
  }
}

const failures: string[] = []
const installation = await TestInstallation.open({}, {}, { keepsRules: true })
let rows: Row[] = []
try {
  const [clients] = await Promise.all([
    Promise.all(programs.map(createClient)),
    installation.putRoute({ id: 'sandbox', channels }),
  ])
  const files = join(installation.directory, 'files')
  const gateway = await installation.startGateway('all', 'gateway', { POSTERN_FILE_FOLDER: files })
  await gateway.untilReady()
  const installed = clients.filter((client) => client !== null)
  rows = (await Promise.all(installed.map((client) => runClient(client, gateway.url)))).flat()
  await comparePlainKeys(gateway.url)
} catch (error) {
  failures.push((error as Error).stack ?? String(error))
}
failures.push(...installation.unexpectedExits)
for (const { request, program, status, body } of rows.filter(({ asExpected }) => !asExpected))
  failures.push(`${request} with ${program}: ${status} ${body}`)
const requests = [...new Set(rows.map(({ request }) => request))]
for (const { name } of programs.filter(({ command }) => command !== null)) {
  const sent = new Set(rows.filter(({ program }) => program === name).map(({ request }) => request))
  const missing = requests.filter((request) => !sent.has(request))
  if (missing.length > 0 || sent.size === 0)
    failures.push(`${name} has not sent ${missing.join(', ') || 'anything'}`)
}
const late = await installation.close(failures.length > 0)
failures.push(...late.map((name) => `${name} did not stop on SIGTERM`))

process.stdout.write(values.json ? `${JSON.stringify(rows, null, 2)}\n` : toTable())
for (const failure of failures) process.stderr.write(`WRONG  ${failure}\n`)
process.exitCode = failures.length === 0 ? 0 : 1
// The build counts each program as one check.
const skipped = programs.filter(({ command }) => command === null).length
const passed = failures.length === 0 ? programs.length - skipped : 0
const { POSTERN_TEST_RESULTS: results } = process.env
if (results !== undefined)
  writeFileSync(results, `${[passed, failures.length, skipped].join(' ')}\n${failures.join('\n')}\n`)

/** Formats a table with requests as rows and programs as columns. */
function toTable(): string {
  const cell = (request: string, { name, command }: Program): string => {
    const row = rows.find((one) => one.request === request && one.program === name)
    if (row === undefined) return command === null ? 'skipped' : 'missing'
    return `${row.status} ${row.code}${row.asExpected ? '' : ' WRONG'}`
  }
  const width = Math.max(...requests.map((request) => request.length)) + 2
  const line = (request: string, cells: readonly string[]): string =>
    `${request.padEnd(width)}${cells.map((text) => text.padEnd(16)).join('')}`.trimEnd()
  const lines = requests.map((request) =>
    line(
      request,
      programs.map((program) => cell(request, program)),
    ),
  )
  return `${[
    line(
      'request',
      programs.map(({ name }) => name),
    ),
    ...lines,
  ].join('\n')}\n`
}
