/**
 * `npm run suite -- e2e [--seed N]` tests the whole pipeline with real processes: an API, a worker and simulated
 * carriers. Sends 2,000 SMS with every behaviour of the SMSC, then all channels over all other protocols and
 * flows across them, with the default trust rules. Every message must have exactly one correct outcome and
 * reach its carrier exactly once. A second installation tests rejections and holds by trust rules. Exits with
 * 0 if there are no findings.
 */
import { parseArgs } from 'node:util'
import { TestInstallation } from '../support/processes/test-installation.ts'
import { printProgress } from '../support/measure/progress.ts'
import { openProtocols } from './protocols/run-protocols.ts'
import { runRules } from './rules/run-rules.ts'
import { checkBehaviourCoverage } from './expectations.ts'
import { runMessages } from './suite.ts'
import { printFindings } from './summary.ts'
import { startSystem, stepTtlSeconds } from './system.ts'

const messageCount = 2_000

const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' } } })
checkBehaviourCoverage()
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
printFindings(findings)
process.exitCode = findings.length === 0 ? 0 : 1

async function run(seed: number): Promise<string[]> {
  printProgress(`seed ${seed}; logs in ${installation.directory}`)
  const system = await startSystem(installation)
  printProgress('api, worker and carrier are ready')
  const protocols = await openProtocols(system)
  return runMessages({
    system,
    url: system.api.url,
    seed,
    count: messageCount,
    async meanwhile() {
      const ran = await protocols.run()
      // Run after the protocols, not in parallel: both would delay each other.
      const findings = await runRules()
      return { ...ran, findings: [...ran.findings, ...findings] }
    },
  })
}
