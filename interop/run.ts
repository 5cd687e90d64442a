/**
 * Drives the published SDKs, unmodified, against a real gateway whose only route is the sandbox, and prints the
 * outcome of each operation. `npm run interop [-- --write]` writes docs/interop.md as well. Exits with 1 when
 * something failed that should work; faults of an SDK, and SDKs that were not available, are listed as such.
 */
import { spawn } from 'node:child_process'
import { createWriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { AccountClient } from '../gateway/test/support/processes/account-client.ts'
import {
  createAccount,
  postern,
  type Environment,
} from '../gateway/test/support/processes/postern-command.ts'
import { projectRoot } from '../gateway/test/support/processes/program.ts'
import { TestInstallation } from '../gateway/test/support/processes/test-installation.ts'
import { waitFor } from '../gateway/test/support/wait.ts'
import { writeImages } from './images.ts'
import { readOutcome, type Outcome } from './outcome.ts'
import { sdks, type Sdk } from './sdks.ts'
import { toPage, type SdkRun } from './table.ts'

const channels = 'sms,mms,international,rcs,alimtalk,friendtalk,brandmessage'
const driverTimeoutMs = 120_000

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } })
const installation = await TestInstallation.open()
let failures: string[]
try {
  const runs = await runAll()
  const page = toPage(runs)
  process.stdout.write(`\n${page}\n`)
  if (values.write) writeFileSync(join(projectRoot, 'docs/interop.md'), page)
  failures = runs.flatMap(({ sdk, outcomes }) =>
    outcomes
      .filter(({ result }) => result === 'failed')
      .map(({ operation, reason }) => `${sdk.language}: ${operation}: ${reason}`),
  )
  failures.push(...installation.unexpectedExits)
} catch (error) {
  failures = [(error as Error).stack ?? String(error)]
}
const late = await installation.close(failures.length > 0)
failures.push(...late.map((name) => `${name} did not stop on SIGTERM`))
for (const failure of failures) process.stdout.write(`failed: ${failure}\n`)
process.exitCode = failures.length === 0 ? 0 : 1

async function runAll(): Promise<SdkRun[]> {
  const files = join(installation.directory, 'files')
  const images = join(installation.directory, 'images')
  writeImages(images)
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
  const gateway = await installation.startGateway('all', 'gateway', { POSTERN_FILE_FOLDER: files })
  await gateway.untilReady()
  await waitFor('the route', async () => (await gateway.metric('postern_route_linked')) === 1, {
    timeoutMs: 10_000,
  })
  const runs: SdkRun[] = []
  for (const sdk of sdks) {
    if ('notRun' in sdk.driver) {
      runs.push({ sdk, outcomes: [], notRun: sdk.driver.notRun })
      continue
    }
    // One account per SDK: a poller must not receive another's reports.
    const { clientId, password } = await createAccount(installation.environment, sdk.language)
    const client = new AccountClient(gateway.url, { clientId, password })
    await waitFor('the account', async () => (await client.login()).httpStatus === 200, {
      timeoutMs: 5_000,
      everyMs: 200,
    })
    client.close()
    const settings = {
      INTEROP_URL: gateway.url,
      INTEROP_CLIENT_ID: clientId,
      INTEROP_PASSWORD: password,
      INTEROP_IMAGES: images,
    }
    const outcomes = await drive(sdk.language, sdk.driver, settings)
    runs.push({ sdk, outcomes, notRun: null })
  }
  return runs
}

/** Other output of an SDK goes to its log; a driver that exits with an error is a failure too. */
async function drive(
  language: Sdk['language'],
  [command, ...args]: readonly string[],
  settings: Environment,
): Promise<Outcome[]> {
  const logFile = join(installation.directory, `${language}.log`)
  const child = spawn(command!, args, {
    cwd: projectRoot,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: driverTimeoutMs,
  })
  child.stderr.pipe(createWriteStream(logFile))
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(code === 0 ? '' : `ended with ${signal ?? `code ${code}`}`))
  })
  const outcomes: Outcome[] = []
  for await (const line of createInterface(child.stdout)) {
    const outcome = readOutcome(line)
    if (outcome === null) continue
    outcomes.push(outcome)
    process.stdout.write(`${language}: ${outcome.operation}: ${outcome.result} ${outcome.reason}\n`)
  }
  const trouble = await ended
  if (trouble !== '' || outcomes.length === 0) {
    const reason = `${trouble || 'it did nothing'}, see ${logFile}`
    outcomes.push({ operation: 'the driver itself', result: 'failed', reason })
  }
  return outcomes
}
