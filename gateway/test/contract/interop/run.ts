/**
 * `npm run suite -- interop [--write]` runs the published, unmodified SDKs against the sandbox of a real
 * gateway and prints the outcome of each operation. `--write` also writes docs/evidence/sdks.md. Exits with 1
 * if an operation failed or a process exited unexpectedly. Bugs of an SDK, unavailable SDKs and operations that the
 * gateway does not offer are only listed.
 */
import { spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { AccountClient } from '../../support/processes/account-client.ts'
import { createAccount, postern, type Environment } from '../../support/processes/postern-command.ts'
import { projectRoot } from '../../support/processes/program.ts'
import { TestInstallation } from '../../support/processes/test-installation.ts'
import { makeJpeg } from '../../support/files/images.ts'
import { writeDocSection } from '../../support/measure/write-doc.ts'
import { waitFor } from '../../support/wait.ts'
import { parseSdkOutcome, type SdkOutcome } from './outcome.ts'
import { sdks, type Sdk } from './sdks.ts'
import { renderRuns, sdkSection, type SdkRun } from './table.ts'

const channels = 'sms,mms,international,rcs,alimtalk,friendtalk,brandmessage'
const driverTimeoutMs = 120_000

const imageSizes: Readonly<Record<string, readonly [width: number, height: number]>> = {
  'mms.jpg': [640, 480],
  'rcs.jpg': [568, 528],
  'rcs-card.jpg': [696, 504],
  'image.jpg': [800, 400],
  'wide.jpg': [800, 600],
  'square.jpg': [500, 500],
}

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } })
const installation = await TestInstallation.open()
let failures: string[]
try {
  const runs = await runAll()
  process.stdout.write(`\n${renderRuns(runs)}\n`)
  if (values.write) await writeDocSection('evidence/sdks.md', 'sdks', sdkSection(runs))
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

function writeImages(directory: string): void {
  mkdirSync(directory, { recursive: true })
  for (const [name, [width, height]] of Object.entries(imageSizes)) {
    writeFileSync(join(directory, name), makeJpeg(width, height, 20_000))
  }
}

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
    // One account per SDK, so that pollers receive only their own reports.
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

/** Runs a driver. Its standard error goes to a log file; a non-zero exit is a failure. */
async function drive(
  language: Sdk['language'],
  [command, ...args]: readonly string[],
  settings: Environment,
): Promise<SdkOutcome[]> {
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
    child.once('close', (code, signal) =>
      resolve(code === 0 ? '' : `exited with ${signal ?? `code ${code}`}`),
    )
  })
  const outcomes: SdkOutcome[] = []
  for await (const line of createInterface(child.stdout)) {
    const outcome = parseSdkOutcome(line)
    if (outcome === null) continue
    outcomes.push(outcome)
    process.stdout.write(`${language}: ${outcome.operation}: ${outcome.result} ${outcome.reason}\n`)
  }
  const problem = await ended
  if (problem !== '' || outcomes.length === 0) {
    const reason = `${problem || 'no outcome printed'}; see ${logFile}`
    outcomes.push({ operation: 'the driver itself', result: 'failed', reason })
  }
  return outcomes
}
