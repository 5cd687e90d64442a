/**
 * `npm run audit`: asks the registry for known vulnerabilities of what a production installation contains. Fails for those of
 * severity high or critical. A registry that cannot be asked is a printed skip, not a success: CI without a network still runs.
 */
import { spawnSync } from 'node:child_process'
import { readAudit } from './supply/audit-result.ts'

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8', timeout: 60_000 })
const { text, failed } = readAudit(stdout)
process.stdout.write(`${text}\n`)
process.exitCode = failed ? 1 : 0
