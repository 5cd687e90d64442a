/**
 * `npm run first-day [-- --json]`: sends the requests of a client's first day to a new installation with default settings, once
 * with each of five client programs. An account for each program, its senders and a sandbox route are the only setup. Prints
 * every response; exits with 1 if one is not as expected. A program that is not installed is skipped.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { pythonWithRequests, works } from '../../../scripts/services/install.ts'
import type { Credentials } from '../support/processes/account-client.ts'
import { prepareIn } from '../support/processes/postern-command.ts'
import { inherited, projectRoot } from '../support/processes/program.ts'
import { registerSenders } from '../support/processes/register-senders.ts'
import { TestInstallation } from '../support/processes/test-installation.ts'
import { bodies, expectationOf, image, senders } from './requests.ts'

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } })
const run = promisify(execFile)
const clientTimeoutMs = 60_000

const python = pythonWithRequests()

/** The command of each client program; null if it is not installed. */
const programs: Readonly<Record<string, readonly string[] | null>> = {
  axios: [process.execPath, 'axios.ts'],
  fetch: [process.execPath, 'fetch.ts'],
  undici: [process.execPath, 'undici.ts'],
  curl: works('curl', '--version') ? ['bash', 'curl.sh'] : null,
  'python-requests': python === undefined ? null : [python, 'python-requests.py'],
}

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
  readonly command: readonly string[]
  readonly account: Credentials
}

async function createClient(program: string, command: readonly string[]): Promise<Client> {
  const { environment } = installation
  const created = await prepareIn(projectRoot, environment, 'account', 'create', '--json', '--name', program)
  const account = JSON.parse(created) as Credentials
  await registerSenders(installation, account.clientId, senders)
  return { program, command, account }
}

async function runClient(
  { program, command: [command, file], account }: Client,
  url: string,
): Promise<Row[]> {
  const folder = join(installation.directory, program)
  mkdirSync(folder)
  writeFileSync(join(folder, 'image.jpg'), image)
  for (const [name, body] of Object.entries(bodies))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(body))
  const { clientId, password } = account
  const env = { ...inherited(), BASE_URL: url, CLIENT_ID: clientId, PASSWORD: password, BODIES: folder }
  const script = join(import.meta.dirname, 'clients', file!)
  const before = new Date()
  const running = run(command!, [script], { env, timeout: clientTimeoutMs })
  const { stdout } = await running.catch((error: Error & { readonly stdout: string }) => {
    failures.push(`${program}: ${error.message}`)
    return error
  })
  const after = new Date()
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const [request = '', status, body = ''] = line.split('\t')
    const { code } = JSON.parse(body) as { readonly code: string }
    const asExpected = [before, after].some((at) => {
      const expected = expectationOf(request, at)
      return expected.status === Number(status) && expected.code === code && expected.has.test(body)
    })
    return { request, program, status: Number(status), code, body, asExpected }
  })
}

const failures: string[] = []
const installation = await TestInstallation.open({}, {}, { keepsRules: true })
let rows: Row[] = []
try {
  const creating = Object.entries(programs).map(
    ([program, command]) => command && createClient(program, command),
  )
  const [clients] = await Promise.all([
    Promise.all(creating),
    installation.putRoute({ id: 'sandbox', channels }),
  ])
  const files = join(installation.directory, 'files')
  const gateway = await installation.startGateway('all', 'gateway', { POSTERN_FILE_FOLDER: files })
  await gateway.untilReady()
  rows = (await Promise.all(clients.map((client) => client && runClient(client, gateway.url))))
    .filter((own) => own !== null)
    .flat()
} catch (error) {
  failures.push((error as Error).stack ?? String(error))
}
failures.push(...installation.unexpectedExits)
for (const { request, program, status, body } of rows.filter(({ asExpected }) => !asExpected))
  failures.push(`${request} with ${program}: ${status} ${body}`)
const late = await installation.close(failures.length > 0)
failures.push(...late.map((name) => `${name} did not stop on SIGTERM`))

process.stdout.write(values.json ? `${JSON.stringify(rows, null, 2)}\n` : toTable())
for (const failure of failures) process.stderr.write(`WRONG  ${failure}\n`)
process.exitCode = failures.length === 0 ? 0 : 1

/** A line for each request, a column for each program. */
function toTable(): string {
  const names = [...new Set(rows.map(({ request }) => request))]
  const cell = (request: string, program: string): string => {
    const row = rows.find((one) => one.request === request && one.program === program)
    if (row === undefined) return programs[program] === null ? 'skipped' : 'missing'
    return `${row.status} ${row.code}${row.asExpected ? '' : ' WRONG'}`
  }
  const lines = [['request', ...Object.keys(programs)]]
  for (const name of names) lines.push([name, ...Object.keys(programs).map((program) => cell(name, program))])
  return `${lines
    .map((line) =>
      line
        .map((text, index) => text.padEnd(index === 0 ? 26 : 16))
        .join('')
        .trimEnd(),
    )
    .join('\n')}\n`
}
