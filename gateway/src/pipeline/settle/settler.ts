/**
 * Settles groups of jobs: matches a receipt to its attempt, in any order, with any spelling of the id, early, late or
 * repeated, applies a verdict, and records an answer. A receipt that matches nothing yet waits here for its attempt to be recorded, then in a
 * table until its lifetime ends. Jobs that come at the same time share bulk statements. Resolves when the effect is
 * committed. Called by settle, for jobs of its queue and for those that reach it directly.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { ReceiptJob, SettleJob } from '../../jobs/jobs.ts'
import { addRepeatedly, type Run } from '../../platform/add-repeatedly.ts'
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

export type SettleGroup = (jobs: readonly SettleJob[], run: Run) => Promise<void>

/**
 * Delays between tries to match. The first ones cover the time until a carrier's answer is recorded; after them the
 * answer was lost, and the recipient's number may decide.
 */
const matchDelaysMs = [30, 70, 150, 300, 600, 1_200]
/** From this try on, after 250 ms, the attempt should have been recorded. */
const slowFrom = 3
const firstOrphanRetryMs = 2_000
/**
 * One batch at a time for receipts, one for verdicts and one for unmatched receipts that are stored, each on its own connection. A second
 * batch of receipts would wait for the same rows of `report_sequences`, and take the processor from the fallbacks of other accounts.
 */
export const settleConnections = 3

export function createSettler(context: SettlerContext): SettleGroup {
  const { database, metrics, signal } = context
  const batcher = new Batcher<SettleItem, ReceiptResult>({ maxItems: 400, concurrency: 1 }, (items) => {
    metrics.batchSize.observe({ stage: 'settle' }, items.length)
    return settleOrPark(
      context,
      items,
      createScope(context.routes.value, context.retentionDays, { recentDays: 1 }),
    )
  })
  const orphans = new Batcher<ReceiptJob>({ maxItems: 200, concurrency: 1, scopeOf }, async (receipts) => {
    await storeOrphans(database, receipts, new Date(clock.now() + firstOrphanRetryMs))
    return receipts.map(() => undefined)
  })
  const slowReceipts = new SlowReceipts()
  async function settle(run: Run, items: readonly SettleItem[]): Promise<ReceiptResult[]> {
    const results = await addRepeatedly(batcher, items, 'settling', run)
    return results.map((result) => {
      if (result.status === 'rejected') throw result.reason as Error
      return result.value
    })
  }

  /**
   * For a receipt that matched nothing at once. False when it matches nothing, or when too many receipts of its route wait
   * already.
   */
  async function matchAgain(receipt: ReceiptJob, run: Run): Promise<boolean> {
    const { routeId } = receipt
    let isSlow = false
    try {
      for (const [index, delayMs] of matchDelaysMs.entries()) {
        if (index < slowFrom && slowReceipts.isFull(routeId)) return false
        if (index === slowFrom) {
          isSlow = slowReceipts.enter(routeId)
          if (!isSlow) return false
        }
        await delay(delayMs, undefined, { signal })
        if (index === matchDelaysMs.length - 1) return false
        const byRecipient = index === matchDelaysMs.length - 2
        const [result] = await settle(run, [{ job: receipt, byRecipient }])
        if (result !== 'unmatched') return true
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

  async function matchOrStore(receipt: ReceiptJob, run: Run): Promise<void> {
    if (await matchAgain(receipt, run)) return
    metrics.receipts.inc({ result: 'orphaned' })
    await run('storing an unmatched receipt', () => storeOrPark(receipt))
  }

  return async (jobs, run) => {
    const results = await settle(
      run,
      jobs.map((job) => ({ job, byRecipient: false })),
    )
    const unmatched = jobs.filter((_, index) => results[index] === 'unmatched') as ReceiptJob[]
    if (unmatched.length > 0) await Promise.all(unmatched.map((receipt) => matchOrStore(receipt, run)))
  }
}
