/**
 * `npm run clients:generated [-- python go java]`: generates a client in each language from the client document, compiles
 * it with the program of that language, and runs the program against the sandbox of a real gateway. Prints a line for each
 * check; the last line is "N passed, N failed".
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { makeJpeg } from '../../gateway/test/support/files/images.ts'
import { createAccount } from '../../gateway/test/support/processes/postern-command.ts'
import { TestInstallation } from '../../gateway/test/support/processes/test-installation.ts'
import { languages } from './languages.ts'

const serviceTypes = ['SMS', 'MMS', 'INTERNATIONAL', 'RCS', 'ALIMTALK', 'FRIENDTALK', 'BRANDMESSAGE']

/** The lines that every program prints. */
const checks = [
  'ok requests a token',
  ...serviceTypes.map((serviceType) => `ok delivers ${serviceType}`),
  'ok sends once with one Idempotency-Key',
  'ok falls back to SMS',
  'ok finds messages by ref',
  'ok tells a closed message from an unknown one',
  'ok polls and acknowledges reports',
  'ok follows the report stream',
  'ok reads the code and the field of an error',
  'ok receives a report by webhook',
  'ok refuses a push without a signature',
]

const { positionals } = parseArgs({ allowPositionals: true })
const unknown = positionals.filter((name) => !(name in languages))
if (unknown.length > 0)
  throw new Error(`no language ${unknown.join(', ')}; choose of ${Object.keys(languages).join(', ')}`)
const chosen = Object.entries(languages).filter(
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
