// `npm run suite -- fuzz:api [--seconds N] [--requests N] [--seed N] [--only operationId]`: runs schemathesis against a real
// gateway whose only route is the sandbox. Schemathesis generates requests from /openapi.json and checks every response against
// it. Exits with 1 if a check failed, a response was 5xx, the gateway exited or had to be killed, or without --only the number of
// requests was not reached. See docs/evidence/fuzz.md.

import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { AccountClient, type Credentials } from '../../support/processes/account-client.ts'
import { createAccount, postern } from '../../support/processes/postern-command.ts'
import { onInterrupt } from '../../support/processes/process-cleanup.ts'
import { TestInstallation } from '../../support/processes/test-installation.ts'
import { waitFor } from '../../support/wait.ts'
import { forStateful } from './document.ts'
import { ensureSchemathesis, schemathesisVersion } from './install.ts'
import { print, formatElapsed } from '../../../../tools/engines/print.ts'

const channels = 'sms,mms,international,rcs,alimtalk,friendtalk,brandmessage'
const responsesMetric = 'postern_http_responses_total'
const here = import.meta.dirname

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '900' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string' },
  },
})

const started = performance.now()
const program = ensureSchemathesis()
const installation = await TestInstallation.open({
  // Limits have their own tests; here they would hide all other responses.
  POSTERN_SEND_LIMIT: '0',
  POSTERN_REPORT_LIMIT: '0',
  POSTERN_FILE_LIMIT: '0',
  POSTERN_FORM_LIMIT: '0',
  POSTERN_TOKEN_REQUESTS_PER_MINUTE: '1000000',
  POSTERN_TOKEN_FAILURES_PER_MINUTE: '1000000',
})
let failure = await run().catch((error: unknown) => (error as Error).stack ?? String(error))
const late = await installation.close(failure !== '')
if (late.length > 0) failure += `\n${late.join(', ')} did not stop on SIGTERM`
if (failure !== '') {
  print(failure)
  process.exitCode = 1
}

/** Returns the reason of the failure, or an empty string. */
async function run(): Promise<string> {
  await postern(
    installation.environment,
    'route',
    'put',
    'sandbox',
    '--protocol',
    'sandbox',
    '--channels',
    channels,
  )
  const credentials = await createAccount(installation.environment, 'fuzz')
  const gateway = await installation.startGateway('all', 'gateway', {
    POSTERN_FILE_FOLDER: `${installation.directory}/files`,
  })
  await gateway.untilReady()
  await waitFor('the route', async () => (await gateway.metric('postern_route_linked')) === 1, {
    timeoutMs: 10_000,
  })
  const client = new AccountClient(gateway.url, credentials)
  await waitFor('the account', async () => (await client.login()).httpStatus === 200, {
    timeoutMs: 5_000,
    everyMs: 200,
  })
  const token = (await client.login()).body.data?.token ?? ''
  client.close()
  const file = join(installation.directory, 'openapi.json')
  const document = await fetch(`${gateway.url}/openapi.json`).then((answer) => answer.text())
  writeFileSync(file, forStateful(document))
  const before = await gateway.metric(responsesMetric)
  const code = await schemathesis(
    credentials,
    ...[
      '--config-file',
      join(here, 'schemathesis.toml'),
      'run',
      file,
      '--url',
      gateway.url,
      '--workers',
      '2',
    ],
    ...['--header', `Authorization: Bearer ${token}`, '--seed', values.seed],
    ...['--max-time', values.seconds],
    // A single operation has no links to follow.
    ...(values.only === undefined
      ? []
      : ['--include-operation-id', values.only, '--phases', 'examples,coverage,fuzzing']),
  )
  const requests = (await gateway.metric(responsesMetric)) - before
  const faults = await gateway.metric(responsesMetric, 'status="5')
  const summary = `schemathesis ${schemathesisVersion()}, seed ${values.seed}: ${requests} requests, ${faults} answered 5xx, ${formatElapsed(started)}`
  process.stdout.write(`${summary}\n`)
  if (code !== 0) return `schemathesis exited with ${code}`
  if (faults > 0) return `${faults} responses were 5xx`
  if (installation.unexpectedExits.length > 0) return installation.unexpectedExits.join('\n')
  const enough = values.only !== undefined || requests >= Number(values.requests)
  return enough ? '' : `only ${requests} requests of ${values.requests}`
}

function schemathesis(credentials: Credentials, ...args: string[]): Promise<number> {
  const child = spawn(program, args, {
    cwd: installation.directory,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      SCHEMATHESIS_HOOKS: 'hooks',
      PYTHONPATH: here,
      // The hooks choose by hash values: runs with the same seed must choose alike.
      PYTHONHASHSEED: '0',
      FUZZ_CLIENT_ID: credentials.clientId,
      FUZZ_PASSWORD: credentials.password,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const forget = onInterrupt(() => {
    child.kill()
    return Promise.resolve()
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      forget()
      resolve(code ?? 1)
    })
  })
}
