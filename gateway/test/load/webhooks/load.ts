/**
 * Puts webhooks under load with real worker processes: many endpoints, some dead, some too slow, some failing
 * half of the time, and optionally workers and a broker node killed during the run. Measures the delay of
 * healthy ones and accounts for every report.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase, type Database } from '../../../src/platform/database/database.ts'
import { TestInstallation } from '../../support/processes/test-installation.ts'
import { waitFor } from '../../support/wait.ts'
import { silentLog } from '../../support/silent-log.ts'
import { countStates, describeOpen, readOpen, readUnpollable, type OpenReport } from './accounting.ts'
import { installVerifier, verifyByPython } from './python.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import type { LoadResult } from './result.ts'
import { checkRetries } from './retries.ts'
import { createFaults } from './faults.ts'
import { addTargets, canAcknowledge, type TargetMix, type WebhookTarget } from './targets.ts'
import { PushObserver } from './push-observer.ts'
import { progressEveryMs, writeLoad, type ReportProgress } from './write-load.ts'

export interface WebhookLoadOptions extends TargetMix {
  readonly perSecond: number
  readonly seconds: number
  readonly workers: number
  readonly kill: boolean
  /** Called every few seconds, and at every fault. */
  readonly reportProgress?: ReportProgress
}

/** Short enough for flaky webhooks to reach the end of the schedule within the run. */
const scheduleMs = [1, 1, 1, 2, 2, 2, 4, 4, 4, 8, 8, 8].map((seconds) => seconds * 1000)
/** A failure is saved within about 250 ms, and due retries are read every 100 ms. */
const toleranceMs = 500
const drainLimitMs = 120_000
const receiverCount = 4

export async function runWebhookLoad(options: WebhookLoadOptions): Promise<LoadResult> {
  const { perSecond, seconds, reportProgress = () => undefined } = options
  const python = installVerifier()
  const site = await TestInstallation.open({
    POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    // All endpoints are on one host.
    POSTERN_WEBHOOK_HOST_PER_SECOND: '100000',
    POSTERN_WEBHOOK_RETRY_SECONDS: scheduleMs.map((ms) => ms / 1000).join(','),
  })
  const database = openDatabase(site.databaseUrl, silentLog, { connections: 8 })
  const pushes = join(site.directory, 'pushes.jsonl')
  const observer = new PushObserver(pushes)
  const receivers: Receiver[] = []
  let passed = false
  try {
    for (let n = 0; n < receiverCount; n++)
      receivers.push(await openReceiver((arrival) => observer.answer(arrival), false))
    const targets = await addTargets(
      database,
      options,
      receivers.map(({ url }) => url),
    )
    observer.watch(targets)
    const workers = await Promise.all(
      Array.from({ length: options.workers }, (_, n) => site.startGateway('worker', `worker-${n + 1}`)),
    )
    for (const worker of workers) await worker.untilReady()
    await waitFor('every worker to own its share of the webhooks', () => areShared(database, options), {
      timeoutMs: 30_000,
    })
    const faults = options.kill ? createFaults(workers) : []
    const writtenPerSecond = await writeLoad({
      database,
      targets,
      observer,
      faults,
      perSecond,
      seconds,
      reportProgress,
    })
    const drain = await waitUntilDrained(database, targets, reportProgress)
    await observer.close()
    const open = await readOpen(database, targets, scheduleMs.length + 1)
    const unpollable = await readUnpollable(database, open)
    const found = open.filter(({ state }) => state === 'lost' || state === 'stopped')
    const { arrivals, repeated, badSignatures, lags, tries } = observer
    const sum = (of: (target: WebhookTarget) => number): number =>
      targets.reduce((all, each) => all + of(each), 0)
    const result: LoadResult = {
      written: sum(({ written }) => written.size),
      writtenPerSecond,
      acknowledged: sum(({ acknowledged }) => acknowledged.size),
      arrivals,
      repeated,
      badSignatures,
      python: await verifyByPython(python, pushes),
      states: countStates(open),
      unpollable: unpollable.length,
      healthy: lags.beforeFaults,
      healthyAfterFaults: faults.length > 0 ? lags.afterFaults : null,
      retries: { ...checkRetries(tries, scheduleMs, toleranceMs), toleranceMs },
      drainSeconds: drain.seconds,
      undrained: drain.open.length,
      killed: faults.map(({ name }) => name),
      unexpectedExits: site.unexpectedExits,
      findings: describeOpen([...found, ...unpollable, ...drain.open]),
    }
    passed = result.findings.length === 0
    return result
  } finally {
    await database.end()
    await site.close(!passed)
    for (const receiver of receivers) await receiver.close()
  }
}

/**
 * Waits, up to a limit, until the webhooks that can acknowledge have all their reports or have used up their
 * attempts. Returns the reports that are still open.
 */
async function waitUntilDrained(
  database: Database,
  targets: readonly WebhookTarget[],
  reportProgress: ReportProgress,
): Promise<{ seconds: number; open: OpenReport[] }> {
  const acknowledging = targets.filter(canAcknowledge)
  const start = performance.now()
  let reportedAt = start
  for (;;) {
    const open = (await readOpen(database, acknowledging, scheduleMs.length + 1)).filter(
      ({ state }) => state === 'behind' || state === 'retrying',
    )
    const now = performance.now()
    const seconds = (now - start) / 1000
    if (open.length === 0 || now - start > drainLimitMs) return { seconds, open }
    if (now - reportedAt >= progressEveryMs) {
      reportedAt = now
      const { behind, retrying } = countStates(open)
      const hooks = new Set(open.map(({ target }) => target.webhookId)).size
      reportProgress(
        `draining: ${Math.round(seconds)} s, ${behind} behind and ${retrying} to be retried of ${hooks} webhooks`,
      )
    }
    await pause(500)
  }
}

/** Reports whether every webhook is owned and no worker owns more than its part. The first worker owns all until it transfers some. */
async function areShared(database: Database, { endpoints, workers }: WebhookLoadOptions): Promise<boolean> {
  const { rows } = await database.query<{ n: number }>(
    `select count(*) as n from owned where kind = 'webhook' group by member`,
  )
  const counts = rows.map(({ n }) => n)
  const maxPerWorker = Math.ceil(endpoints / workers)
  return counts.reduce((sum, n) => sum + n, 0) === endpoints && Math.max(...counts) <= maxPerWorker
}
