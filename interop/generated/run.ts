/**
 * `npm run clients:generated [-- python go java]`: generates a client in each language from the client document, compiles
 * it, and lets a program send a message with it to the sandbox of a real gateway and read its report. Prints a line for
 * each check; the last line is "N passed, N failed".
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { createAccount } from '../../gateway/test/support/processes/postern-command.ts'
import { TestInstallation } from '../../gateway/test/support/processes/test-installation.ts'
import { languages } from './languages.ts'

/** Those that every program prints. */
const checks = 4

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
  await installation.putRoute({ id: 'sandbox', channels: ['sms'] })
  const gateway = await installation.startGateway('all', 'gateway')
  await gateway.untilReady(120_000)
  for (const [name, build] of chosen) {
    const from = performance.now()
    const folder = mkdtempSync(join(tmpdir(), `postern-${name}-`))
    try {
      const { command, environment = {} } = await build(folder)
      report(name, [`ok generates and compiles (${Math.round((performance.now() - from) / 1000)} s)`])
      const { clientId, password } = await createAccount(installation.environment, name)
      const account = { POSTERN_URL: gateway.url, POSTERN_CLIENT_ID: clientId, POSTERN_PASSWORD: password }
      const { stdout } = await promisify(execFile)(command[0], command.slice(1), {
        env: { ...process.env, ...environment, ...account },
        timeout: 120_000,
      })
      const lines = stdout.trim().split('\n')
      report(name, lines)
      if (lines.length !== checks) report(name, [`FAILED: ${lines.length} checks instead of ${checks}`])
    } catch (error) {
      const { message, stderr = '' } = error as Error & { stderr?: string }
      report(name, [`FAILED: ${message}\n${stderr.slice(-2_000)}`])
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
