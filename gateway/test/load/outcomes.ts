/**
 * Waits, at most twelve minutes, until every message has ended and the accounts have polled every report, and
 * counts missing outcomes.
 */
import { readLedger } from '../support/processes/postern-command.ts'
import type { TestInstallation } from '../support/processes/test-installation.ts'
import { withProgress } from '../support/measure/progress.ts'
import { waitFor } from '../support/wait.ts'
import { ReportPoller } from './report-poller.ts'
import type { Use } from './steady-load.ts'

const drainMs = 600_000
const readingMs = 120_000

/** Counts accepted messages without exactly one report, and reports of messages that were not accepted. */
export async function countLost(
  base: TestInstallation,
  accounts: readonly Use[],
  accepted: ReadonlySet<string>,
  submitted: () => number,
): Promise<number> {
  await untilEnded(base, accepted, submitted)
  const { missing, unaccepted } = await countOutcomes(
    accounts.map((use) => new ReportPoller(use)),
    accepted,
  )
  return missing + unaccepted
}

export async function untilEnded(
  base: TestInstallation,
  accepted: ReadonlySet<string>,
  submitted: () => number,
): Promise<void> {
  const closing = waitFor(
    'every message to end',
    async () => {
      const { inFlight, final } = await readLedger(base.environment)
      return inFlight === 0 && final >= accepted.size
    },
    { timeoutMs: drainMs, everyMs: 2_000 },
  ).catch(() => undefined)
  await withProgress(closing, () => `${submitted()} of ${accepted.size} were submitted`)
}

/**
 * Counts missing and unaccepted messages separately: a message whose confirm did not come in time is rejected
 * and may still be sent.
 * Stops the pollers.
 */
export async function countOutcomes(
  pollers: readonly ReportPoller[],
  accepted: ReadonlySet<string>,
): Promise<{ readonly missing: number; readonly unaccepted: number }> {
  const reported = (): number => pollers.reduce((sum, { counts }) => sum + counts.size, 0)
  const polling = waitFor('every report', () => reported() >= accepted.size, {
    timeoutMs: readingMs,
    everyMs: 250,
  }).catch(() => undefined)
  await withProgress(polling, () => `${reported()} of ${accepted.size} reports read`)
  await Promise.all(pollers.map((poller) => poller.stop()))
  const counts = new Map(pollers.flatMap((poller) => [...poller.counts]))
  const missing = [...accepted].filter((msgKey) => counts.get(msgKey) !== 1).length
  return { missing, unaccepted: [...counts.keys()].filter((msgKey) => !accepted.has(msgKey)).length }
}
