/**
 * The gateway under load while processes and engines are killed, restarted and cut off. At the end every message that was
 * answered A000 must have exactly one outcome. Started by start.ts, which starts the services; exits with 0 when
 * nothing is wrong.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { whyNotBreakable } from '../support/processes/breakable-services.ts'
import { createAccount, readLedger } from '../support/processes/postern-command.ts'
import { projectRoot } from '../support/processes/program.ts'
import { printProgress } from '../support/progress.ts'
import { waitFor } from '../support/wait.ts'
import { runFaults } from './fault-runs.ts'
import { FailoverClient } from './failover-client.ts'
import { describeAttempts, describeOpen, explainDuplicates, type Evidence } from './evidence.ts'
import { faults } from './faults.ts'
import { Load } from './load.ts'
import type { Kind } from './message-mix.ts'
import { parseOptions, type ChaosOptions } from './options.ts'
import { openChaosInstallation, type ChaosInstallation } from './chaos-installation.ts'
import { countsOf, duplicateLines, faultTable, faultRunLine, page } from './summary.ts'
import { findUnknownSteps } from './unknown-steps.ts'
import { judge } from './verdict.ts'
import { ReportPoller } from './report-poller.ts'

const options = parseOptions(process.argv.slice(2))
/**
 * Longer than two consecutive faults may delay a submission; the longest stall of a short run is 7 s. The run ends when
 * the recipients without a receipt reach this deadline.
 */
const stepTtlSeconds = options.short ? 25 : 60
const maxFlow = 3

const refusal = whyNotBreakable({ redundant: !options.short })
if (refusal !== undefined) {
  process.stderr.write(`${refusal}\n`)
  process.exit(2)
}
printProgress(`seed ${options.seed}, ${options.rate} messages/s`)
const installation = await openChaosInstallation({ full: !options.short, stepTtlSeconds })
const findings: string[] = []
try {
  findings.push(...(await run(installation, options)))
} catch (error) {
  findings.push((error as Error).stack ?? String(error))
}
findings.push(...installation.base.unexpectedExits)
const late = await installation.close(findings.length > 0)
findings.push(...late.map((name) => `${name} did not stop on SIGTERM`))
for (const finding of findings) process.stdout.write(`WRONG  ${finding}\n`)
printProgress(
  findings.length === 0
    ? `chaos: ok (seed ${options.seed})`
    : `chaos: ${findings.length} findings (seed ${options.seed})`,
)
process.exitCode = findings.length === 0 ? 0 : 1

async function run(
  { base, simulator, apis }: ChaosInstallation,
  options: ChaosOptions,
): Promise<readonly string[]> {
  printProgress(`logs in ${base.directory}`)
  const credentials = await createAccount(base.environment, 'chaos')
  await installation.untilAllReady(30_000)
  await installation.owner()
  const urls = apis.map((api) => api.url)
  const sender = new FailoverClient(urls, credentials, { connections: 256, timeoutMs: 8_000 })
  const pollingClient = new FailoverClient(urls, credentials, { connections: 2, timeoutMs: 3_000 })
  const load = new Load(sender, options.rate, options.seed)
  const poller = new ReportPoller(pollingClient, load)
  try {
    await sender.login()
    await pollingClient.login()
    poller.start()
    load.start()
    const began = performance.now()
    const until = began + options.minutes * 60_000
    await poller.untilFlowing(began, 15_000)
    printProgress('messages flow; injecting faults')
    const soFar = { load, poller } as Evidence
    const faultRuns = await runFaults(chosenFaults(options), {
      ...{ installation, poller, seed: options.seed, everyMs: options.every * 1000 },
      until: options.short ? 0 : until,
      onEnd: (faultRun) => printProgress(faultRunLine(faultRun, soFar)),
    })
    await waitFor('the load to end', () => performance.now() > until, { timeoutMs: 3_600_000 })
    const ended = performance.now()
    await load.stop()
    printProgress(`${load.sends.size} sent; waiting until all are final`)
    const ledger = await untilFinal(load, poller)
    await poller.stop()
    const submissions = await simulator.submissions()
    const kindOf = (ref: string): Kind | undefined => load.sends.get(ref)?.kind
    const evidence: Evidence = {
      ...{ load, poller, faultRuns, began, ended, ledger, submissions },
      unknownSteps: await findUnknownSteps(poller.reports, kindOf, submissions, base.databaseUrl),
      duplicates: await explainDuplicates(await simulator.duplicates(), load, base.databaseUrl),
    }
    const verdict = judge(evidence)
    showResult(evidence, verdict)
    if (options.write) {
      const file = join(projectRoot, 'docs/chaos.md')
      const style = await resolveConfig(file)
      writeFileSync(file, await format(page(evidence, verdict, options), { ...style, filepath: file }))
      printProgress(
        'docs/chaos.md is written; scripts/docs/figures.test.ts names what README.md says otherwise',
      )
    }
    return [
      ...verdict.findings,
      ...(await describeAttempts(base.databaseUrl, verdict.wrong)),
      ...(await describeOpen(base.databaseUrl)),
    ]
  } finally {
    await load.stop()
    await poller.stop()
    sender.close()
    pollingClient.close()
  }
}

function chosenFaults({ short, only }: ChaosOptions): typeof faults {
  const possible = faults.filter((fault) => fault.on.includes(short ? 'short' : 'full'))
  if (only.length === 0) return possible
  const chosen = possible.filter(({ name }) => only.some((text) => name.includes(text)))
  if (chosen.length > 0) return chosen
  throw new Error(`no such fault; there are:\n${possible.map(({ name }) => `  ${name}`).join('\n')}`)
}

/** Waits until everything accepted is reported and the ledger agrees; after the limit returns the ledger as it is. */
async function untilFinal(load: Load, poller: ReportPoller): ReturnType<typeof readLedger> {
  const timeoutMs = (maxFlow * stepTtlSeconds + 30) * 1000
  const missing = (): number =>
    [...load.sends.values()].filter(
      ({ reply }) => reply?.kind === 'accepted' && !poller.reports.has(reply.msgKey),
    ).length
  await waitFor('all to be reported', () => missing() === 0, { timeoutMs, everyMs: 500 }).catch(
    () => undefined,
  )
  const read = (): ReturnType<typeof readLedger> => readLedger(installation.base.environment)
  const ledger = await waitFor(
    'the ledger to close',
    async () => {
      const now = await read()
      return now.inFlight === 0 && now.final === poller.reports.size ? now : undefined
    },
    { timeoutMs, everyMs: 1_000 },
  ).catch(read)
  await poller.untilEmpty(10_000).catch(() => undefined)
  return ledger
}

function showResult(evidence: Evidence, verdict: ReturnType<typeof judge>): void {
  const lines = countsOf(evidence, verdict).map(
    ([what, count]) => `  ${what.replaceAll('*', '').padEnd(46)}${String(count).padStart(10)}\n`,
  )
  process.stdout.write(`\n${faultTable(evidence)}\n\n${lines.join('')}${duplicateLines(evidence)}\n`)
}
