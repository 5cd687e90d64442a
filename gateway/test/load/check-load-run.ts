/** Checks a run under load: nothing failed, was lost or was sent twice, and the ledger balances. */
import { readLedger } from '../support/processes/postern-command.ts'
import { waitFor } from '../support/wait.ts'
import type { EnduranceInstallation } from './endurance-installation.ts'
import { withProgress } from '../support/measure/progress.ts'
import type { SteadyLoad } from './steady-load.ts'

/** Waits up to two minutes for the report of every accepted message, stops the poller and returns the findings. */
export async function checkLoadRun(
  installation: EnduranceInstallation,
  load: Pick<SteadyLoad, 'sent' | 'failures'>,
): Promise<string[]> {
  const { base, poller, submitted } = installation
  const accepted = load.sent.flatMap(({ msgKey, to }) => (msgKey === undefined ? [] : [{ msgKey, to }]))
  const missing = (): number => accepted.filter(({ msgKey }) => !poller.counts.has(msgKey)).length
  await withProgress(
    waitFor('all to be reported', () => missing() === 0, { timeoutMs: 120_000, everyMs: 500 }).catch(
      () => undefined,
    ),
    () => `${missing()} of ${accepted.length} are not reported yet`,
  )
  const closing = waitFor(
    'the ledger to close',
    async () => {
      const now = await readLedger(base.environment)
      return now.inFlight === 0 ? now : undefined
    },
    { timeoutMs: 20_000, everyMs: 1_000 },
  ).catch(() => readLedger(base.environment))
  const ledger = await withProgress(closing, () => 'waiting for the ledger to close')
  await poller.stop()
  const findings: string[] = [...base.unexpectedExits]
  const found = (count: number, problem: string): void => {
    if (count > 0) findings.push(`${count} ${problem}`)
  }
  const { failures } = load
  found(failures.length, `sends failed: ${[...new Set(failures)].slice(0, 5).join('; ')}`)
  found(missing(), 'accepted messages have no report')
  found(accepted.filter(({ msgKey }) => (poller.counts.get(msgKey) ?? 0) > 1).length, 'were reported twice')
  found(poller.counts.size - accepted.length + missing(), 'reports of messages that were never accepted')
  found(accepted.filter(({ to }) => !submitted.has(to)).length, 'never reached the carrier')
  found([...submitted.values()].filter((count) => count > 1).length, 'reached the carrier twice')
  for (const [code, count] of poller.others) found(count, `ended with ${code}, expected 10000`)
  if (ledger.gap !== 0 || ledger.inFlight !== 0 || ledger.accepted !== accepted.length) {
    findings.push(`the ledger is ${JSON.stringify(ledger)}; ${accepted.length} messages were accepted`)
  }
  return findings
}
