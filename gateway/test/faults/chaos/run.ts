/**
 * Runs the gateway under load while processes, engines, networks, clocks and routes fail or change. At the end every
 * message accepted with A000 must have exactly one outcome. `start.ts` starts the services and this program.
 * Exits with 0 if there are no findings.
 */
import { findReasonNotToBreak } from '../../support/processes/breakable-services.ts'
import { createAccount, readLedger } from '../../support/processes/postern-command.ts'
import { printProgress } from '../../support/measure/progress.ts'
import { writeDocSection } from '../../support/measure/write-doc.ts'
import { waitFor } from '../../support/wait.ts'
import { moveBack } from './database-disk.ts'
import { runFaults } from './fault-runs.ts'
import { FailoverClient } from './failover-client.ts'
import { describeAttempts, describeOpen, explainDuplicates, type ChaosEvidence } from './evidence.ts'
import type { ChaosFault } from './fault.ts'
import { faults } from './faults.ts'
import { ChaosLoad } from './load.ts'
import { parseChaosOptions, type ChaosOptions } from './options.ts'
import { openChaosInstallation, type ChaosInstallation } from './chaos-installation.ts'
import { computeCounts, formatDuplicates, formatFaultTable, formatFaultRun, chaosSection } from './summary.ts'
import { findUnknownSteps } from './unknown-steps.ts'
import { checkChaosRun } from './check-run.ts'
import { ChaosReportPoller } from './report-poller.ts'

const options = parseChaosOptions(process.argv.slice(2))
/**
 * Longer than the delay of a submission by two consecutive faults. The run ends when recipients without a
 * receipt reach this deadline. Lookups find submissions without a receipt a minute before their deadline.
 * A receipt of a submission without an id is matched by its recipient 30 seconds after it arrived.
 */
const stepTtlSeconds = options.short ? 45 : 90
const maxSteps = 3

const refusal = findReasonNotToBreak({ needsRedundancy: !options.short })
if (refusal !== undefined) {
  process.stderr.write(`${refusal}\n`)
  process.exit(2)
}
printProgress(`seed ${options.seed}, ${options.messagesPerSecond} messages/s`)
const installation = await openChaosInstallation({ full: !options.short, stepTtlSeconds })
const findings: string[] = []
try {
  findings.push(...(await run(installation, options)))
} catch (error) {
  findings.push((error as Error).stack ?? String(error))
  await moveBack().catch((reason: unknown) => findings.push(String(reason)))
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
  const load = new ChaosLoad(sender, options.messagesPerSecond, options.seed)
  const poller = new ChaosReportPoller(pollingClient, load)
  try {
    await sender.login()
    await pollingClient.login()
    poller.start()
    load.start()
    const began = performance.now()
    const until = began + options.minutes * 60_000
    await poller.waitUntilFlowing(began, 15_000)
    printProgress('messages flow; injecting faults')
    const soFar = { load, poller } as ChaosEvidence
    const faultRuns = await runFaults(chosenFaults(options), {
      installation,
      load,
      poller,
      messagesPerSecond: options.messagesPerSecond,
      seed: options.seed,
      everyMs: options.every * 1000,
      until: options.short ? 0 : until,
      onEnd: (faultRun) => printProgress(formatFaultRun(faultRun, soFar)),
    })
    await waitFor('the load to end', () => performance.now() > until, { timeoutMs: 3_600_000 })
    const ended = performance.now()
    await load.stop()
    printProgress(`${load.requests.length} sent; waiting until all are final`)
    const ledger = await untilFinal(load, poller)
    await poller.stop()
    const submissions = await simulator.submissions()
    const evidence: ChaosEvidence = {
      load,
      poller,
      faultRuns,
      began,
      ended,
      ledger,
      submissions,
      unknownSteps: await findUnknownSteps(poller.reports, load.sends, submissions, base.databaseUrl),
      duplicates: await explainDuplicates(await simulator.duplicates(), load, base.databaseUrl),
    }
    const result = checkChaosRun(evidence)
    showResult(evidence, result)
    if (options.write) {
      await writeDocSection('evidence/chaos.md', 'chaos', chaosSection(evidence, result, options))
    }
    return [
      ...result.findings,
      ...(await describeAttempts(base.databaseUrl, result.wrong)),
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
  const chosen = possible.filter(({ name }) => only.length === 0 || only.some((text) => name.includes(text)))
  if (chosen.length > 0) return chosen.filter(isPossible)
  throw new Error(
    `no fault matches --only; known faults:\n${possible.map(({ name }) => `  ${name}`).join('\n')}`,
  )
}

function isPossible(fault: ChaosFault): boolean {
  const obstacle = fault.findObstacle?.()
  if (obstacle !== undefined) printProgress(`skipped: ${fault.name}: ${obstacle}`)
  return obstacle === undefined
}

/**
 * Waits until all accepted messages are reported and the ledger balances. Returns the ledger, even after a
 * timeout.
 */
async function untilFinal(load: ChaosLoad, poller: ChaosReportPoller): ReturnType<typeof readLedger> {
  const timeoutMs = (maxSteps * stepTtlSeconds + 30) * 1000
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
      const current = await read()
      return current.inFlight === 0 && current.final === poller.reports.size ? current : undefined
    },
    { timeoutMs, everyMs: 1_000 },
  ).catch(read)
  await poller.waitUntilEmpty(10_000).catch(() => undefined)
  return ledger
}

function showResult(evidence: ChaosEvidence, result: ReturnType<typeof checkChaosRun>): void {
  const lines = computeCounts(evidence, result).map(
    ([label, count]) => `  ${label.replaceAll('*', '').padEnd(46)}${String(count).padStart(10)}\n`,
  )
  process.stdout.write(`\n${formatFaultTable(evidence)}\n\n${lines.join('')}${formatDuplicates(evidence)}\n`)
}
