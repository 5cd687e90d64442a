/**
 * `npm run e2e [-- --seed N]`: the whole pipeline with real processes: one API, one worker and simulated carriers; 2,000
 * SMS of every behaviour of the SMSC, then every channel over every other protocol, and flows that cross them, with the rules of
 * trust on that a new installation has on. Every message must get exactly one outcome, the right one, and reach its carrier
 * exactly once. A second installation shows what the rules refuse and hold. Exits with 0 when nothing is wrong.
 */
import { parseArgs } from 'node:util'
import { TestInstallation } from '../support/processes/test-installation.ts'
import { printProgress } from '../support/progress.ts'
import { openProtocols } from './protocols/run-protocols.ts'
import { runRules } from './rules/run-rules.ts'
import { checkCoverage } from './expectations.ts'
import { runMessages } from './suite.ts'
import { showFindings } from './summary.ts'
import { startSystem, stepTtlSeconds } from './system.ts'

const messageCount = 2_000

const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' } } })
checkCoverage()
const settings = { POSTERN_STEP_TTL_SECONDS: String(stepTtlSeconds) }
const installation = await TestInstallation.open(settings, {}, { keepsRules: true })
const findings: string[] = []
try {
  findings.push(...(await run(Number(values.seed))))
} catch (error) {
  findings.push((error as Error).stack ?? String(error))
}
findings.push(...installation.unexpectedExits)
const late = await installation.close(findings.length > 0)
findings.push(...late.map((name) => `${name} did not stop on SIGTERM`))
showFindings(findings)
process.exitCode = findings.length === 0 ? 0 : 1

async function run(seed: number): Promise<string[]> {
  printProgress(`seed ${seed}; logs in ${installation.directory}`)
  const system = await startSystem(installation)
  printProgress('api, worker and carrier are ready')
  const protocols = await openProtocols(system)
  return runMessages({
    ...{ system, url: system.api.url, seed, count: messageCount },
    async meanwhile() {
      const ran = await protocols.run()
      // After it, while the silent recipients of the SMS reach their deadline: both together would delay each other.
      const findings = await runRules()
      return { ...ran, findings: [...ran.findings, ...findings] }
    },
  })
}
