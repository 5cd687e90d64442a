/**
 * Webhooks under load, with real worker processes: many endpoints, some dead, some too slow, some failing half of the
 * time, and perhaps a worker killed in the middle. Measures how soon healthy ones are told, and accounts for every report.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase, type Database } from '../../src/platform/database.ts'
import { inTransaction } from '../../src/platform/database.ts'
import { insertReports } from '../../src/reports/queries.ts'
import { addWebhook } from '../../src/webhooks/actions.ts'
import { readWebhooks } from '../../src/webhooks/queries.ts'
import { Site } from '../harness/site.ts'
import { waitFor } from '../harness/wait.ts'
import { createAccount } from '../support/fixtures.ts'
import { quietLog } from '../support/quiet.ts'
import { isSigned, openReceiver, type Arrival, type Receiver } from './receiver.ts'
import { loopbackGuard, newReport } from './reports.ts'

export interface LoadOptions {
  readonly endpoints: number
  readonly dead: number
  readonly slow: number
  readonly flaky: number
  readonly perSecond: number
  readonly seconds: number
  readonly workers: number
  /** One of the workers is killed with SIGKILL in the middle. */
  readonly kill: boolean
}

export interface LoadResult {
  readonly written: number
  readonly acknowledged: number
  readonly repeated: number
  readonly badSignatures: number
  /** Reports that are neither acknowledged nor kept for another try. */
  readonly lost: number
  readonly healthy: { readonly p50Ms: number; readonly p99Ms: number; readonly mostMs: number }
  readonly drainSeconds: number
}

type Kind = 'healthy' | 'dead' | 'slow' | 'flaky'

interface Target {
  readonly kind: Kind
  readonly accountId: number
  readonly webhookId: string
  readonly secret: string
  readonly written: Map<string, number>
  readonly acknowledged: Set<string>
}

export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const site = await Site.open({
    POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    // Flaky ones come to an end within the run.
    POSTERN_WEBHOOK_RETRY_SECONDS: '1,1,1,2,2,2,4,4,4,8,8,8',
  })
  const database = openDatabase(site.databaseUrl, quietLog, 8)
  const receivers: Receiver[] = []
  let failed = true
  try {
    const bench = new Bench()
    for (let n = 0; n < 4; n++) receivers.push(await openReceiver((arrival) => bench.answer(arrival)))
    await prepare(database, options, receivers, bench)
    const workers = await Promise.all(
      Array.from({ length: options.workers }, (_, n) => site.startGateway('worker', `worker-${n + 1}`)),
    )
    for (const worker of workers) await worker.untilReady()
    await waitFor(async () => (await unowned(database)) === 0, 'owners for all webhooks', 20_000)
    const half = options.seconds / 2
    await write(database, bench, options.perSecond, half)
    if (options.kill) {
      bench.measuring = false
      await workers[0]!.kill()
    }
    await write(database, bench, options.perSecond, half)
    const started = performance.now()
    await waitFor(() => bench.open === 0, 'all reports of those that can take them', 120_000, 100)
    const drainSeconds = (performance.now() - started) / 1000
    const lost = await countLost(database, bench)
    failed = lost > 0
    return { ...bench.figures(), lost, drainSeconds }
  } finally {
    await database.end()
    await site.close(failed)
    for (const receiver of receivers) await receiver.close()
  }
}

class Bench {
  readonly targets: Target[] = []
  readonly #byPath = new Map<string, Target>()
  readonly #lagsMs: number[] = []
  #repeated = 0
  /** Lags are measured while nobody has been killed. */
  measuring = true
  #badSignatures = 0

  add(target: Target, path: string): void {
    this.targets.push(target)
    this.#byPath.set(path, target)
  }

  answer(arrival: Arrival): ReturnType<Receiver['answer']> {
    const target = this.#byPath.get(arrival.path)
    if (target === undefined) return { status: 404 }
    const { msgKey } = arrival.body
    if (!isSigned(arrival, target.secret)) this.#badSignatures++
    if (target.kind === 'slow') return { status: 200, afterMs: 10_000 }
    if (target.kind === 'flaky' && Math.random() < 0.5) return { status: 500 }
    const writtenAt = target.written.get(msgKey)
    if (target.acknowledged.has(msgKey)) this.#repeated++
    else if (this.measuring && target.kind === 'healthy' && writtenAt !== undefined)
      this.#lagsMs.push(performance.now() - writtenAt)
    target.acknowledged.add(msgKey)
    return undefined
  }

  /** Reports of endpoints that take them, not yet taken. */
  get open(): number {
    return this.targets
      .filter(({ kind }) => kind === 'healthy' || kind === 'flaky')
      .reduce((sum, { written, acknowledged }) => sum + written.size - acknowledged.size, 0)
  }

  figures(): Omit<LoadResult, 'lost' | 'drainSeconds'> {
    const sorted = this.#lagsMs.sort((left, right) => left - right)
    const at = (share: number): number => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0)
    const sum = (of: (target: Target) => number): number =>
      this.targets.reduce((total, target) => total + of(target), 0)
    return {
      written: sum(({ written }) => written.size),
      acknowledged: sum(({ acknowledged }) => acknowledged.size),
      repeated: this.#repeated,
      badSignatures: this.#badSignatures,
      healthy: { p50Ms: at(0.5), p99Ms: at(0.99), mostMs: at(1) },
    }
  }
}

async function prepare(
  database: Database,
  { endpoints, dead, slow, flaky }: LoadOptions,
  receivers: readonly Receiver[],
  bench: Bench,
): Promise<void> {
  const closed = await openReceiver()
  await closed.close()
  for (let n = 0; n < endpoints; n++) {
    const kind: Kind =
      n < dead ? 'dead' : n < dead + slow ? 'slow' : n < dead + slow + flaky ? 'flaky' : 'healthy'
    const accountId = await createAccount(database, `load-${n}`)
    const path = `/hook/${n}`
    const base = kind === 'dead' ? closed.url : receivers[n % receivers.length]!.url
    const context = { database, guard: loopbackGuard }
    const { id, secret } = await addWebhook(context, accountId, { url: `${base}${path}` })
    bench.add({ kind, accountId, webhookId: id, secret, written: new Map(), acknowledged: new Set() }, path)
  }
}

/** Every tenth of a second a transaction, as settle writes them: many accounts at once. */
async function write(database: Database, bench: Bench, perSecond: number, seconds: number): Promise<void> {
  const { targets } = bench
  const start = performance.now()
  let count = 0
  for (let round = 1; round <= seconds * 10; round++) {
    const batch: Target[] = []
    while (count < (perSecond * round) / 10) batch.push(targets[count++ % targets.length]!)
    const reports = batch.map(({ accountId }) => newReport(accountId))
    await inTransaction(database, (transaction) => insertReports(transaction, reports))
    const now = performance.now()
    reports.forEach(({ msgKey }, index) => {
      if (!batch[index]!.written.has(msgKey)) batch[index]!.written.set(msgKey, now)
    })
    await pause(Math.max(0, start + round * 100 - performance.now()))
  }
}

async function unowned(database: Database): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    'select count(*) as n from webhook_cursors where owner is null',
  )
  return rows[0]!.n
}

/** What was not acknowledged must lie before the cursor or among the deliveries. */
async function countLost(database: Database, bench: Bench): Promise<number> {
  const views = new Map((await readWebhooks(database, null)).map((view) => [view.id, view]))
  return bench.targets.reduce((lost, { webhookId, written, acknowledged }) => {
    const { behind, retrying, givenUp } = views.get(webhookId)!
    return lost + Math.max(0, written.size - acknowledged.size - behind - retrying - givenUp)
  }, 0)
}
