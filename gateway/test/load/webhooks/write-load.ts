/**
 * Writes the reports of a run as settle does: every tenth of a second one transaction for many accounts.
 * Faults are injected at even intervals, and restored at the end.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { inTransaction, type Database } from '../../../src/platform/database/database.ts'
import { insertReports } from '../../../src/records/reports/queries.ts'
import { newReport } from './reports.ts'
import type { Fault } from './faults.ts'
import { canAcknowledge, type WebhookTarget } from './targets.ts'
import type { PushObserver } from './push-observer.ts'

export type ReportProgress = (line: string) => void
export const progressEveryMs = 5_000
const batchesPerSecond = 10

export interface WriteLoadOptions {
  readonly database: Database
  readonly targets: readonly WebhookTarget[]
  readonly observer: PushObserver
  readonly faults: readonly Fault[]
  readonly perSecond: number
  readonly seconds: number
  readonly reportProgress: ReportProgress
}

/** Returns the reports written per second. */
export async function writeLoad(writing: WriteLoadOptions): Promise<number> {
  const { targets, observer, faults, perSecond, seconds, reportProgress } = writing
  const start = performance.now()
  const rounds = seconds * batchesPerSecond
  const injected: Promise<void>[] = []
  let [count, reportedAt] = [0, start]
  for (let round = 1; round <= rounds; round++) {
    const batch: WebhookTarget[] = []
    while (count < (perSecond * round) / batchesPerSecond) batch.push(targets[count++ % targets.length]!)
    await writeBatch(writing.database, batch)
    const next = faults[injected.length]
    if (next !== undefined && round >= (rounds * (injected.length + 1)) / (faults.length + 1)) {
      observer.markFault()
      reportProgress(next.name)
      injected.push(next.inject())
    }
    if (performance.now() - reportedAt >= progressEveryMs) {
      reportedAt = performance.now()
      reportProgress(`writing: ${Math.round((reportedAt - start) / 1000)} s, ${progress(targets, observer)}`)
    }
    await pause(Math.max(0, start + (round * 1000) / batchesPerSecond - performance.now()))
  }
  const tookMs = performance.now() - start
  await Promise.all(injected)
  for (const fault of faults) await fault.restore()
  return (1000 * count) / tookMs
}

async function writeBatch(database: Database, batch: readonly WebhookTarget[]): Promise<void> {
  const reports = batch.map(({ accountId }) => newReport(accountId))
  const now = performance.now()
  reports.forEach(({ msgKey }, index) => batch[index]!.written.set(msgKey, now))
  await inTransaction(database, (transaction) => insertReports(transaction, reports))
}

function progress(
  targets: readonly WebhookTarget[],
  { lags: { beforeFaults, afterFaults } }: PushObserver,
): string {
  const acknowledging = targets.filter(canAcknowledge)
  const written = acknowledging.reduce((sum, target) => sum + target.written.size, 0)
  const acknowledged = acknowledging.reduce((sum, target) => sum + target.acknowledged.size, 0)
  const { p99 } = afterFaults.count > 0 ? afterFaults : beforeFaults
  return `${acknowledged} of ${written} acknowledged by webhooks that can, healthy p99 ${p99.toFixed(0)} ms`
}
