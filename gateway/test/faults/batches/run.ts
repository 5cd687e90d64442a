/**
 * `npm run suite -- batches [--short] [--lines N] [--seed N] [--only TEXT] [--json]` uploads, checks, submits, pauses and
 * cancels batches with real processes and a simulated carrier, and breaks workers, PostgreSQL and connections. Every line
 * must end in exactly one state, and none may reach the carrier twice. Exits with 0 if there are no findings.
 */
import { findReasonNotToBreak } from '../../support/processes/breakable-services.ts'
import { printProgress, printResult } from '../../support/measure/progress.ts'
import { openBatchesInstallation } from './batches-installation.ts'
import { checkLedger } from './check-batch.ts'
import { cutConnectionsScenario } from './cut-connections.ts'
import { besideChecksScenario, campaignsScenario } from './fairness.ts'
import { killsScenario } from './kills.ts'
import { parseBatchesOptions, usage } from './options.ts'
import { pauseAndCancelScenario } from './pause-and-cancel.ts'
import { routeRate, type Scenario } from './scenario.ts'
import { sizeScenario } from './size.ts'

const args = process.argv.slice(2)
if (args.includes('--help')) {
  process.stdout.write(usage)
  process.exit(0)
}
const options = parseBatchesOptions(args)
const refusal = findReasonNotToBreak({ needsRedundancy: false })
if (refusal !== undefined) {
  process.stderr.write(`${refusal}\n`)
  process.exit(2)
}
const findings: string[] = []
const figures: Record<string, object> = {}
printProgress(`seed ${options.seed}`)
const installation = await openBatchesInstallation(routeRate)
printProgress(`logs in ${installation.base.directory}`)

const isChosen = ({ name }: Scenario): boolean => name.includes(options.only)
const undisturbed = [sizeScenario, cutConnectionsScenario, pauseAndCancelScenario].filter(isChosen)
if (options.short) {
  await Promise.all(undisturbed.map(runScenario))
  await runLedgerCheck('the undisturbed batches')
} else
  for (const scenario of undisturbed) {
    await runScenario(scenario)
    await runLedgerCheck(scenario.name)
  }
// They measure rates, so nothing else runs beside them, and they are left out where many checks share the machine.
const measured = options.short ? [] : [campaignsScenario, besideChecksScenario]
for (const scenario of [...measured, killsScenario].filter(isChosen)) {
  await runScenario(scenario)
  await runLedgerCheck(scenario.name)
}

findings.push(...installation.base.unexpectedExits)
const late = await installation.close(findings.length > 0)
findings.push(...late.map((name) => `${name} did not stop on SIGTERM`))
printResult('batches', findings)
if (options.json)
  process.stdout.write(`${JSON.stringify({ suite: 'batches', seed: options.seed, figures, findings })}\n`)

async function runScenario({ name, run }: Scenario): Promise<void> {
  try {
    const result = await run(installation, options)
    findings.push(...result.findings.map((text) => `${name}: ${text}`))
    figures[name] = result.figures
    printProgress(`${name}: ${JSON.stringify(result.figures)}`)
  } catch (error) {
    findings.push(`${name}: ${(error as Error).stack ?? String(error)}`)
  }
}

async function runLedgerCheck(after: string): Promise<void> {
  const wrong = await checkLedger(installation.base.environment)
  findings.push(...wrong.map((text) => `after ${after}: ${text}`))
}
