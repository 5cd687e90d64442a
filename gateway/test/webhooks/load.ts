/**
 * Webhooks under load, with real worker processes: many endpoints, some dead, some too slow, some failing half of the
 * time, and perhaps a worker and a broker node killed on the way. Measures how soon healthy ones are told, and accounts for
 * every report.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase, type Database } from '../../src/platform/database.ts'
import { TestInstallation } from '../support/processes/test-installation.ts'
import { waitFor } from '../support/wait.ts'
import { quietLog } from '../support/quiet.ts'
import { countFates, describeOpen, readOpen, readUnpollable, type Open } from './accounting.ts'
import { installVerifier, verifyByPython } from './python.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import type { LoadResult } from './result.ts'
import { judgeRetries } from './retries.ts'
import { strikesOn } from './strikes.ts'
import { addTargets, canTake, type Mix, type Target } from './targets.ts'
import { Witness } from './witness.ts'
import { tellEveryMs, write, type Tell } from './writing.ts'

export interface LoadOptions extends Mix {
  readonly perSecond: number
  readonly seconds: number
  readonly workers: number
  readonly kill: boolean
  /** Hears how far it is, every few seconds. */
  readonly tell?: Tell
}

/** Flaky ones come to an end within the run. */
const scheduleMs = [1, 1, 1, 2, 2, 2, 4, 4, 4, 8, 8, 8].map((seconds) => seconds * 1000)
/** A failure is saved within 250 ms or so, and what is due is looked for every 100 ms. */
const toleranceMs = 500
const drainLimitMs = 120_000

export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { perSecond, seconds, tell = () => undefined } = options
  const python = installVerifier()
  const site = await TestInstallation.open({
    POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    POSTERN_WEBHOOK_RETRY_SECONDS: scheduleMs.map((ms) => ms / 1000).join(','),
  })
  const database = openDatabase(site.databaseUrl, quietLog, { connections: 8 })
  const pushes = join(site.directory, 'pushes.jsonl')
  const witness = new Witness(pushes)
  const receivers: Receiver[] = []
  let whole = false
  try {
    for (let n = 0; n < 4; n++)
      receivers.push(await openReceiver((arrival) => witness.answer(arrival), false))
    const targets = await addTargets(
      database,
      options,
      receivers.map(({ url }) => url),
    )
    witness.watch(targets)
    const workers = await Promise.all(
      Array.from({ length: options.workers }, (_, n) => site.startGateway('worker', `worker-${n + 1}`)),
    )
    for (const worker of workers) await worker.untilReady()
    await waitFor('every worker to own its share of the webhooks', () => areShared(database, options), {
      timeoutMs: 30_000,
    })
    const strikes = options.kill ? strikesOn(workers) : []
    const writtenPerSecond = await write({ database, targets, witness, strikes, perSecond, seconds, tell })
    const drain = await drained(database, targets, tell)
    await witness.close()
    const open = await readOpen(database, targets, scheduleMs.length + 1)
    const unpollable = await readUnpollable(database, open)
    const found = open.filter(({ fate }) => fate === 'lost' || fate === 'stopped')
    const { arrivals, repeated, badSignatures, lags, tries } = witness
    const sum = (of: (target: Target) => number): number => targets.reduce((all, each) => all + of(each), 0)
    const result: LoadResult = {
      written: sum(({ written }) => written.size),
      writtenPerSecond,
      acknowledged: sum(({ acknowledged }) => acknowledged.size),
      ...{ arrivals, repeated, badSignatures },
      python: await verifyByPython(python, pushes),
      ...{ fates: countFates(open), unpollable: unpollable.length },
      ...{ healthy: lags.calm, disturbed: strikes.length > 0 ? lags.rough : null },
      retries: { ...judgeRetries(tries, scheduleMs, toleranceMs), toleranceMs },
      drainSeconds: drain.seconds,
      undrained: drain.open.length,
      killed: strikes.map(({ name }) => name),
      surprises: site.unexpectedExits,
      findings: describeOpen([...found, ...unpollable, ...drain.open]),
    }
    whole = result.findings.length === 0
    return result
  } finally {
    await database.end()
    await site.close(!whole)
    for (const receiver of receivers) await receiver.close()
  }
}

/** Waits until those that can take their reports have them or were tried to the end; says what is still open in the end. */
async function drained(
  database: Database,
  targets: readonly Target[],
  tell: Tell,
): Promise<{ seconds: number; open: Open[] }> {
  const takers = targets.filter(canTake)
  const start = performance.now()
  let toldAt = start
  for (;;) {
    const open = (await readOpen(database, takers, scheduleMs.length + 1)).filter(
      ({ fate }) => fate === 'behind' || fate === 'retrying',
    )
    const now = performance.now()
    const seconds = (now - start) / 1000
    if (open.length === 0 || now - start > drainLimitMs) return { seconds, open }
    if (now - toldAt >= tellEveryMs) {
      toldAt = now
      const { behind, retrying } = countFates(open)
      const hooks = new Set(open.map(({ target }) => target.webhookId)).size
      tell(
        `draining: ${Math.round(seconds)} s, ${behind} behind and ${retrying} to be retried of ${hooks} webhooks`,
      )
    }
    await pause(500)
  }
}

/** Every worker has its share: the first to start had them all, and moving half of them takes a second. */
async function areShared(database: Database, { endpoints, workers }: LoadOptions): Promise<boolean> {
  const { rows } = await database.query<{ n: number }>(
    'select count(*) as n from webhook_cursors where owner is not null group by owner',
  )
  const counts = rows.map(({ n }) => n)
  const share = Math.ceil(endpoints / workers)
  return counts.reduce((sum, n) => sum + n, 0) === endpoints && Math.max(...counts) <= share
}
