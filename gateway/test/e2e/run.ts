/**
 * `npm run e2e [-- --seed N]`: the whole pipeline with real processes: one API, one worker, one simulated carrier;
 * 2,000 messages of every behaviour of the carrier. Every message must get exactly one outcome, the right one, and
 * reach the carrier exactly once. Exits with 0 when nothing is wrong.
 */
import { parseArgs } from 'node:util'
import { AccountClient } from '../support/processes/account-client.ts'
import { createAccount, readLedger } from '../support/processes/postern-command.ts'
import { inParallel } from '../support/parallel.ts'
import { createRandom } from '../support/random.ts'
import { TestInstallation } from '../support/processes/test-installation.ts'
import { simulatorErrors } from '../support/processes/simulator.ts'
import { printProgress } from '../support/progress.ts'
import { waitFor } from '../support/wait.ts'
import { checkCarrier } from './check-carrier.ts'
import { ReportCollector } from './report-collector.ts'
import { checkCoverage } from './expectations.ts'
import { checkInquiry, checkReports } from './check-reports.ts'
import { planMessages, type PlannedMessage } from './plan.ts'
import { checkRefusals } from './check-refusals.ts'
import { showFindings, showOutcomes } from './summary.ts'

const messageCount = 2_000
const stepTtlSeconds = 30

const linkOptions = {
  window: 100,
  errors: simulatorErrors,
  receiptUtcOffsetMinutes: 0,
  responseTimeoutMs: 2_500,
  throttleRetryMs: 20,
  reconnectMinMs: 50,
  reconnectMaxMs: 100,
}

const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' } } })
checkCoverage()
const installation = await TestInstallation.open({ POSTERN_STEP_TTL_SECONDS: String(stepTtlSeconds) })
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
  const simulator = await installation.startSimulator(
    'smsc',
    ...['--record', '--slow-ms', '800', '--late-ms', '5000', '--receipt-delay-ms', '20'],
  )
  const [api, worker, credentials, silentCredentials] = await Promise.all([
    installation.startGateway('api', 'api'),
    installation.startGateway('worker', 'worker'),
    createAccount(installation.environment, 'e2e', '--part-counts'),
    createAccount(installation.environment, 'silent', '--no-polling'),
    installation.putRoute({ id: 'domestic', channels: ['sms'], simulator, options: linkOptions }),
    installation.putRoute({ id: 'overseas', channels: ['international'], simulator, options: linkOptions }),
  ])
  await Promise.all([api.untilReady(), worker.untilReady()])
  await waitFor('both routes to be linked', async () => (await worker.metric('postern_route_linked')) === 2, {
    timeoutMs: 10_000,
  })
  printProgress('api, worker and carrier are ready')

  const client = new AccountClient(api.url, credentials)
  const silent = new AccountClient(api.url, silentCredentials)
  try {
    await waitFor('the account to be known', async () => (await client.login()).httpStatus === 200, {
      timeoutMs: 5_000,
      everyMs: 200,
    })
    await waitFor('the account to be known', async () => (await silent.login()).httpStatus === 200, {
      timeoutMs: 5_000,
      everyMs: 200,
    })
    const found = await checkRefusals({ client, silent, credentials })
    printProgress(`refusals: ${found.length} wrong`)

    const messages = planMessages(messageCount, createRandom(seed))
    const sent = new Map<string, PlannedMessage>()
    const send = async (message: PlannedMessage): Promise<void> => {
      const { channel, from, to, text, ref } = message
      const { httpStatus, body } = await client.send(channel, { from, to, text, ref })
      const { code, msgKey } = body
      if (httpStatus !== 200 || code !== 'A000' || msgKey === undefined || body.ref !== ref) {
        found.push(`sending ${ref} to ${to} was answered ${httpStatus} ${JSON.stringify(body)}`)
      } else if (sent.has(msgKey)) found.push(`msgKey ${msgKey} was issued twice`)
      else sent.set(msgKey, message)
    }

    const collector = new ReportCollector(client)
    collector.start()
    const dropping = messages.filter(({ expectation }) => expectation.unanswered === 'drops')
    for (const message of dropping) {
      const { binds } = await simulator.stats()
      await send(message)
      await waitFor('the link to reconnect', async () => (await simulator.stats()).binds > binds, {
        timeoutMs: 10_000,
      })
    }
    printProgress(`${dropping.length} messages sent at which the carrier disconnected`)

    const others = messages.filter(({ expectation }) => expectation.unanswered !== 'drops')
    const started = performance.now()
    await inParallel(createRandom(seed).shuffle(others), 32, send)
    const seconds = (performance.now() - started) / 1000
    printProgress(
      `${others.length} more in ${seconds.toFixed(1)} s (${Math.round(others.length / seconds)}/s)`,
    )

    const stranger = [...sent.keys()][0]!
    const seen = (await silent.inquire(stranger)).body.data?.report
    if (seen?.length !== 0) found.push('another account sees a report that is not its own')

    let shown = 0
    await waitFor(
      `a report for each of ${sent.size} messages`,
      () => {
        const { size } = collector.reports
        if (size - shown >= 400 || (size === sent.size && size > shown))
          printProgress(`${(shown = size)} reports`)
        return size >= sent.size
      },
      { timeoutMs: (stepTtlSeconds + 20) * 1000, everyMs: 200 },
    ).catch((error: unknown) => found.push((error as Error).message))
    await collector.stop()

    found.push(...collector.findings, ...checkReports(sent, collector.reports))
    found.push(...(await checkInquiry(client, collector.reports)))
    found.push(...(await checkCarrier(simulator, messages)))
    const ledger = await readLedger(installation.environment)
    if (ledger.gap !== 0 || ledger.inFlight !== 0 || ledger.accepted !== sent.size) {
      found.push(`the ledger says ${JSON.stringify(ledger)}, not ${sent.size} accepted and final`)
    }
    showOutcomes(messages, sent, collector)
    return found
  } finally {
    client.close()
    silent.close()
  }
}
