/**
 * Settles single jobs: matches a receipt to its attempt, in any order, with any spelling of the id, early, late or
 * repeated, and applies a verdict. A receipt that matches nothing yet waits here for its attempt to be recorded, then in a
 * table until its lifetime ends. Jobs that come at the same time share bulk statements. Resolves when the effect is
 * committed. Called by settle, for jobs of its queue and for those that reach it directly.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { ReceiptJob, SettleJob } from '../../jobs/jobs.ts'
import { Batcher } from '../../platform/batcher.ts'
import { clock } from '../../platform/clock.ts'
import { isTransient, scopeOf } from '../../platform/transient.ts'
import { storeOrphans } from '../../records/attempts/orphans.ts'
import { parkJob } from '../../records/parked/park.ts'
import type { RouteTable } from '../../routes/table.ts'
import type { ReceiptResult } from './batch.ts'
import { createScope, type SettleItem } from './match-items.ts'
import { settleOrPark, type SettleOrParkContext } from './settle-or-park.ts'
import { SlowReceipts } from './slow-receipts.ts'

export interface SettlerContext extends SettleOrParkContext {
  readonly routes: Pick<RouteTable, 'value'>
  /** Attempts of this many days can be matched. */
  readonly retentionDays: number
  readonly signal: AbortSignal
}

/** Runs one piece of work: once, or again until it succeeds. */
export type Run = <T>(what: string, work: () => Promise<T>) => Promise<T>

export type SettleOne = (job: SettleJob, run: Run) => Promise<void>

/**
 * Delays between tries to match. The first ones cover the time until a carrier's answer is recorded; after them the
 * answer was lost, and the recipient's number may decide.
 */
const matchDelaysMs = [30, 70, 150, 300, 600, 1_200]
/** From this try on, after 250 ms, the attempt should have been recorded. */
const slowFrom = 3
const firstOrphanRetryMs = 2_000
/** Batches that are settled, and batches of unmatched receipts that are stored, at the same time. */
const [settledAtOnce, storedAtOnce] = [2, 1]
/** A batch uses one connection at a time. */
export const settleConnections = settledAtOnce + storedAtOnce

export function createSettler(context: SettlerContext): SettleOne {
  const { database, metrics, signal } = context
  const batcher = new Batcher<SettleItem, ReceiptResult>(
    { maxItems: 400, concurrency: settledAtOnce },
    (items) => {
      metrics.batchSize.observe({ stage: 'settle' }, items.length)
      return settleOrPark(
        context,
        items,
        createScope(context.routes.value, context.retentionDays, { recentDays: 1 }),
      )
    },
  )
  const orphans = new Batcher<ReceiptJob>(
    { maxItems: 200, concurrency: storedAtOnce, scopeOf },
    async (receipts) => {
      await storeOrphans(database, receipts, new Date(clock.now() + firstOrphanRetryMs))
      return receipts.map(() => undefined)
    },
  )
  const slowReceipts = new SlowReceipts()
  const settle = (run: Run, job: SettleJob, byRecipient: boolean): Promise<ReceiptResult> =>
    run('settling', () => batcher.add({ job, byRecipient }))

  /** False when it matches nothing, or when too many receipts of its route wait already. */
  async function matchRepeatedly(receipt: ReceiptJob, run: Run): Promise<boolean> {
    const { routeId } = receipt
    let isSlow = false
    try {
      for (const [index, delayMs] of matchDelaysMs.entries()) {
        if ((await settle(run, receipt, index === matchDelaysMs.length - 1)) !== 'unmatched') return true
        if (index < slowFrom && slowReceipts.isFull(routeId)) return false
        if (index === slowFrom) {
          isSlow = slowReceipts.enter(routeId)
          if (!isSlow) return false
        }
        await delay(delayMs, undefined, { signal })
      }
      return false
    } finally {
      if (isSlow) slowReceipts.leave(routeId)
    }
  }

  async function storeOrPark(receipt: ReceiptJob): Promise<void> {
    try {
      await orphans.add(receipt)
    } catch (error) {
      if (isTransient(error)) throw error
      await parkJob(context, 'settle', receipt, error as Error)
    }
  }

  return async (job, run) => {
    if (job.kind === 'verdict') {
      await settle(run, job, false)
    } else if (!(await matchRepeatedly(job, run))) {
      metrics.receipts.inc({ result: 'orphaned' })
      await run('storing an unmatched receipt', () => storeOrPark(job))
    }
  }
}
