/**
 * `npm run suite -- clients:generated [python go java]` generates and compiles a client in each language and runs its test
 * program against the sandbox of a real gateway. Prints a line for each check, then "N passed, N failed".
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { makeJpeg } from '../../../support/files/images.ts'
import { createAccount } from '../../../support/processes/postern-command.ts'
import { TestInstallation } from '../../../support/processes/test-installation.ts'
import { clientBuilds } from './client-builds.ts'

const serviceTypes = ['SMS', 'MMS', 'INTERNATIONAL', 'RCS', 'ALIMTALK', 'FRIENDTALK', 'BRANDMESSAGE']

/** Lines that every test program must print. */
const checks = [
  'ok requests a token',
  ...serviceTypes.map((serviceType) => `ok delivers ${serviceType}`),
  'ok sends once with one Idempotency-Key',
  'ok falls back to SMS',
  'ok finds messages by ref',
  'ok distinguishes closed and unknown messages',
  'ok polls and acknowledges reports',
  'ok follows the report stream',
  'ok reads the code and the field of an error',
  'ok receives a report by webhook',
  'ok refuses a push without a signature',
]

const { positionals } = parseArgs({ allowPositionals: true })
const unknown = positionals.filter((name) => !(name in clientBuilds))
if (unknown.length > 0)
  throw new Error(
    `unknown language ${unknown.join(', ')}; choose from ${Object.keys(clientBuilds).join(', ')}`,
  )
const chosen = Object.entries(clientBuilds).filter(
  ([name]) => positionals.length === 0 || positionals.includes(name),
)

let passed = 0
let failed = 0
const installation = await TestInstallation.open()
try {
  const channels = serviceTypes.map((serviceType) => serviceType.toLowerCase())
  await installation.putRoute({ id: 'sandbox', channels })
  const gateway = await installation.startGateway('all', 'gateway', {
    POSTERN_FILE_FOLDER: join(installation.directory, 'files'),
    POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  })
  await gateway.untilReady(120_000)
  for (const [name, build] of chosen) {
    const from = performance.now()
    const folder = mkdtempSync(join(tmpdir(), `postern-${name}-`))
    try {
      const { command, environment = {} } = await build(folder)
      report(name, [`ok generates and compiles (${Math.round((performance.now() - from) / 1000)} s)`])
      const { clientId, password } = await createAccount(installation.environment, name)
      const image = join(folder, 'sale.jpg')
      writeFileSync(image, makeJpeg(640, 480))
      const { stdout } = await promisify(execFile)(command[0], command.slice(1), {
        env: {
          ...process.env,
          ...environment,
          POSTERN_URL: gateway.url,
          POSTERN_CLIENT_ID: clientId,
          POSTERN_PASSWORD: password,
          POSTERN_IMAGE: image,
        },
        timeout: 120_000,
      })
      const lines = stdout.trim().split('\n')
      report(name, lines)
      const missing = checks.filter((check) => !lines.includes(check))
      report(
        name,
        missing.map((check) => `FAILED: does not print "${check}"`),
      )
    } catch (error) {
      const { message, stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string }
      report(name, [`FAILED: ${message}\n${stdout}${stderr.slice(-2_000)}`])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
} finally {
  await installation.close(failed > 0)
}
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1

function report(name: string, lines: readonly string[]): void {
  for (const line of lines) {
    if (line.startsWith('ok ')) passed++
    else failed++
    process.stdout.write(`${name}: ${line}\n`)
  }
}
