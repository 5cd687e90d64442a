/**
 * `node tools/release/audit.ts`: checks the packages of a production installation for known vulnerabilities.
 * Fails for severity high or critical. If the registry cannot be reached, the exit code is 77 (skipped).
 */
import { spawnSync } from 'node:child_process'
import { readAudit } from './supply/audit-result.ts'

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8', timeout: 60_000 })
const { text, outcome } = readAudit(stdout)
process.stdout.write(`${text}\n`)
process.exitCode = { passed: 0, failed: 1, skipped: 77 }[outcome]
