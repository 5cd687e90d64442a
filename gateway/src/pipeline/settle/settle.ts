import { setTimeout as delay } from 'node:timers/promises'
import type { ReceiptJob, SettleJob } from '../../jobs/jobs.ts'
import { readSettleJob } from '../../jobs/read.ts'
import type { SendToSettle } from '../../jobs/send-to-settle.ts'
import { addWithRetry, type RetryRunner } from '../../platform/add-with-retry.ts'
import { Batcher } from '../../platform/database/batcher.ts'
import type { QueueSpec } from '../../platform/broker/queue-spec.ts'
import { clock } from '../../platform/time/clock.ts'
import { retryTransient } from '../../platform/database/retry.ts'
import { isTransient, classifyError } from '../../platform/database/transient.ts'
import { storeOrphans } from '../../records/attempts/orphans.ts'
import { parkJob } from '../../records/parked/park.ts'
import type { RouteTable } from '../../carriers/routes/table.ts'
import { settleOrPark, type SettleItem, type SettleOrParkContext, type SettleResult } from './batch.ts'
import { createScope } from './match.ts'
import { ReceiptWatermark, type SettleQueue } from './receipt-watermark.ts'

export interface SettleContext extends SettleOrParkContext {
  readonly routes: Pick<RouteTable, 'value'>
  /** Maximum age in days of attempts that can be matched. */
  readonly retentionDays: number
  readonly signal: AbortSignal
}

export interface Settling {
  readonly active: boolean
  readonly watermark: ReceiptWatermark
  /** Settles a job immediately, without the queue; rejects if PostgreSQL is unavailable. */
  readonly settleNow: SendToSettle
  stop(): Promise<void>
}

/**
 * One concurrent batch for receipts, one for verdicts and one for unmatched receipts that are stored, each on
 * its own connection. A second batch of receipts would wait for the same rows of `report_sequences`, and take
 * processor time from the fallbacks of other accounts.
 */
export const settleConnections = 3
/** Broker deliveries of a queue that settle may hold. */
const prefetch = 64

/**
 * Starts the settle stage: consumes receipts, verdicts and outcomes, ends steps, and starts the next step or closes the
 * message. A job is acknowledged after its effect is committed. Verdicts and outcomes have a separate queue and batches, so a
 * fallback does not wait behind a carrier's receipts. While the broker accepts nothing, jobs are settled directly.
 *
 * A receipt may arrive before the outcome of its submission. If it matches nothing, it waits here for its attempt to be
 * recorded, then in a table until its lifetime ends (`orphan-retries.ts`).
 */
export function startSettle(context: SettleContext): Settling {
  const { broker, topology, log } = context
  const receipts = new Settler(context)
  const verdicts = new Settler(context)
  const once: RetryRunner = (_what, work) => work()

  async function readAndSettle(
    settler: Settler,
    candidates: readonly unknown[],
    run: RetryRunner,
  ): Promise<void> {
    const jobs: SettleJob[] = []
    for (const candidate of candidates) {
      const read = readSettleJob(candidate)
      if (read.ok) jobs.push(read.job)
      else await run('parking a job', () => parkJob(context, 'settle', candidate, read.reason))
    }
    await settler.settle(jobs, run)
  }

  function consume(spec: QueueSpec, settler: Settler) {
    const consumption = broker.consume(spec, { prefetch }, ({ jobs, signal }) =>
      readAndSettle(settler, jobs, (what, work) => retryTransient(work, { what, log, signal })),
    )
    return { spec, consumption } satisfies SettleQueue
  }

  const queues = [consume(topology.receipts, receipts), consume(topology.verdicts, verdicts)]
  return {
    get active() {
      return queues.every(({ consumption }) => consumption.active)
    },
    watermark: new ReceiptWatermark(broker, queues, context.metrics),
    settleNow: (job) => (job.kind === 'receipt' ? receipts : verdicts).settle([job], once),
    async stop() {
      await Promise.all(queues.map(({ consumption }) => consumption.stop()))
    },
  }
}

/**
 * Delays before the attempts to match a receipt that may have arrived before the outcome of its submission is
 * recorded.
 */
const earlyDelaysMs = [30, 70, 150]
/** Delays before further attempts. */
const slowDelaysMs = [300, 600]
const firstOrphanRetryMs = 2_000

/** Settles groups of jobs. Groups that arrive at the same time share the statements of a batch. */
class Settler {
  readonly #context: SettleContext
  readonly #batches: Batcher<SettleItem, SettleResult>
  readonly #orphans: Batcher<ReceiptJob, undefined>
  readonly #slowReceipts = new SlowReceipts()

  constructor(context: SettleContext) {
    const { database, metrics, routes, retentionDays } = context
    this.#context = context
    this.#batches = new Batcher({ maxItems: 400, concurrency: 1 }, (items) => {
      metrics.batchSize.observe({ stage: 'settle' }, items.length)
      return settleOrPark(context, items, createScope(routes.value, retentionDays, { recentDays: 1 }))
    })
    this.#orphans = new Batcher(
      { maxItems: 200, concurrency: 1, scopeOf: classifyError },
      async (receipts) => {
        await storeOrphans(database, receipts, new Date(clock.now() + firstOrphanRetryMs))
        return receipts.map(() => undefined)
      },
    )
  }

  /** Resolves when the effect of the jobs is committed. */
  async settle(jobs: readonly SettleJob[], run: RetryRunner): Promise<void> {
    const items = jobs.map((job) => ({ job, isStored: false }))
    const results = await this.#settleItems(run, items)
    const unmatched = jobs.filter((_, n) => results[n] === 'unmatched') as ReceiptJob[]
    await Promise.all(unmatched.map((receipt) => this.#matchOrStore(receipt, run)))
  }

  async #settleItems(run: RetryRunner, items: readonly SettleItem[]): Promise<SettleResult[]> {
    const results = await addWithRetry(this.#batches, items, 'settling', run)
    return results.map((result) => {
      if (result.status === 'rejected') throw result.reason as Error
      return result.value
    })
  }

  async #matchOrStore(receipt: ReceiptJob, run: RetryRunner): Promise<void> {
    if (await this.#matchAgain(receipt, run)) return
    this.#context.metrics.receipts.inc({ result: 'orphaned' })
    await run('storing an unmatched receipt', () => this.#storeOrPark(receipt))
  }

  /** Returns false if the receipt matches nothing, or if too many receipts, of its route or of all routes, wait already. */
  async #matchAgain(receipt: ReceiptJob, run: RetryRunner): Promise<boolean> {
    const { routeId } = receipt
    for (const delayMs of earlyDelaysMs) {
      if (this.#slowReceipts.isFull(routeId)) return false
      if (await this.#matchAfter(delayMs, receipt, run)) return true
    }
    if (!this.#slowReceipts.enter(routeId)) return false
    try {
      for (const delayMs of slowDelaysMs) if (await this.#matchAfter(delayMs, receipt, run)) return true
      return false
    } finally {
      this.#slowReceipts.leave(routeId)
    }
  }

  async #matchAfter(delayMs: number, job: ReceiptJob, run: RetryRunner): Promise<boolean> {
    await delay(delayMs, undefined, { signal: this.#context.signal })
    const [result] = await this.#settleItems(run, [{ job, isStored: false }])
    return result !== 'unmatched'
  }

  async #storeOrPark(receipt: ReceiptJob): Promise<void> {
    try {
      await this.#orphans.add(receipt)
    } catch (error) {
      if (isTransient(error)) throw error
      await parkJob(this.#context, 'settle', receipt, error as Error)
    }
  }
}

const maxSlowPerRoute = 16
/** Half of the broker deliveries of a queue that settle may hold. */
const maxSlow = prefetch / 2

/**
 * Limits the receipts that wait in memory although their attempt should have been recorded by now. A waiting receipt
 * keeps its broker delivery unacknowledged, and the broker limits those: unmatched receipts of one carrier would stop
 * the settlement of all. Beyond the limit a receipt is stored immediately and matched from there two seconds later.
 */
class SlowReceipts {
  /** Route of each waiting receipt. */
  readonly #routeIds: string[] = []

  isFull(routeId: string): boolean {
    return this.#routeIds.filter((id) => id === routeId).length >= maxSlowPerRoute
  }

  /** Returns false if the receipt must not wait; otherwise the caller must call `leave` afterwards. */
  enter(routeId: string): boolean {
    if (this.isFull(routeId) || this.#routeIds.length >= maxSlow) return false
    this.#routeIds.push(routeId)
    return true
  }

  leave(routeId: string): void {
    this.#routeIds.splice(this.#routeIds.indexOf(routeId), 1)
  }
}
