import { readLedger } from '../support/processes/postern-command.ts'
import { inParallel } from '../support/parallel.ts'
import { createRandom } from '../support/random.ts'
import { printProgress } from '../support/measure/progress.ts'
import { retryAfterThrottling } from '../support/processes/retry-after-throttling.ts'
import { waitFor } from '../support/wait.ts'
import { checkCarrier } from './check-carrier.ts'
import { checkRejections } from './check-rejections.ts'
import { checkInquiry, checkReports } from './check-reports.ts'
import { planMessages, type PlannedMessage } from './plan.ts'
import { ReportCollector } from './report-collector.ts'
import { printOutcomes } from './summary.ts'
import { createLoggedInClient, stepTtlSeconds, type E2eSystem } from './system.ts'

export interface SuiteOptions {
  readonly system: E2eSystem
  /** URL of the API or of a proxy in front of it. */
  readonly url: string
  readonly seed: number
  readonly count: number
  /** Runs while the suite waits for reports. */
  readonly meanwhile?: () => Promise<{ readonly findings: readonly string[]; readonly accepted: number }>
}

/** Sends the messages of a run, for `npm run e2e` and `npm run suite -- cells`, and returns findings. */
export async function runMessages({ system, url, seed, count, meanwhile }: SuiteOptions): Promise<string[]> {
  const { simulator, credentials } = system
  const client = await createLoggedInClient(url, credentials)
  const silent = await createLoggedInClient(url, system.noPollCredentials)
  try {
    const found = await checkRejections({ client, silent, credentials })
    printProgress(`rejections: ${found.length} wrong`)

    const messages = planMessages(count, createRandom(seed))
    const sent = new Map<string, PlannedMessage>()
    const send = async (message: PlannedMessage): Promise<void> => {
      const { channel, from, to, text, ref } = message
      const { httpStatus, body } = await retryAfterThrottling(() =>
        client.send(channel, { from, to, text, ref }),
      )
      const { code, msgKey } = body
      if (httpStatus !== 200 || code !== 'A000' || msgKey === undefined || body.ref !== ref) {
        found.push(`sending ${ref} to ${to} failed: HTTP ${httpStatus} ${JSON.stringify(body)}`)
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
        timeoutMs: 60_000,
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

    const msgKeyOfAnother = [...sent.keys()][0]!
    const reports = (await silent.inquire(msgKeyOfAnother)).body.data?.report
    if (reports?.length !== 0) found.push('an account received the report of another account')

    const running = meanwhile?.().catch((error: unknown) => ({
      findings: [(error as Error).stack ?? String(error)],
      accepted: 0,
    }))
    let printedSize = 0
    await waitFor(
      `a report for each of ${sent.size} messages`,
      () => {
        const { size } = collector.reports
        if (size - printedSize >= 400 || (size === sent.size && size > printedSize))
          printProgress(`${(printedSize = size)} reports`)
        return size >= sent.size
      },
      { timeoutMs: (stepTtlSeconds + 60) * 1000, everyMs: 200 },
    ).catch((error: unknown) => found.push((error as Error).message))
    await collector.stop()

    found.push(...collector.findings, ...checkReports(sent, collector.reports))
    found.push(...(await checkInquiry(client, collector.reports)))
    found.push(...(await checkCarrier(simulator, messages)))
    const concurrent = await running
    found.push(...(concurrent?.findings ?? []))
    const accepted = sent.size + (concurrent?.accepted ?? 0)
    const ledger = await readLedger(system.installation.environment)
    if (ledger.gap !== 0 || ledger.inFlight !== 0 || ledger.accepted !== accepted) {
      found.push(`unexpected ledger ${JSON.stringify(ledger)}, expected ${accepted} accepted and final`)
    }
    printOutcomes(messages, sent, collector)
    return found
  } finally {
    client.close()
    silent.close()
  }
}
