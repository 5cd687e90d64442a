/**
 * Settles a batch. When the batch fails for a reason that no retry changes, settles its jobs one by one and parks the one
 * that fails, so that it blocks no other. Called by settle and by the retries of orphaned receipts.
 */
import { parkJob } from '../../jobs/park.ts'
import type { Topology } from '../../jobs/queues.ts'
import type { Broker } from '../../platform/broker/broker.ts'
import { isTransient, type Database } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { RouteTally } from '../../routes/tally.ts'
import { settleBatch, type ReceiptResult } from './batch.ts'
import type { SettleItem } from './match-items.ts'
import type { Outbox } from '../scheduling/outbox.ts'

export interface SettleOrParkContext {
  readonly broker: Broker
  readonly topology: Topology
  readonly database: Database
  readonly outbox: Outbox
  readonly metrics: Metrics
  /** Counts how each route's messages ended. */
  readonly tally: Pick<RouteTally, 'count'>
  readonly log: Log
}

export async function settleOrPark(
  context: SettleOrParkContext,
  items: readonly SettleItem[],
  notBefore: string,
): Promise<ReceiptResult[]> {
  try {
    const { database, metrics, outbox, log } = context
    const { receiptResults, deliveredTwice } = await settleBatch(database, items, notBefore, metrics, outbox)
    for (const { msgKey, step } of deliveredTwice) {
      log.warn(
        { message: msgKey, step },
        'a message was delivered twice: by this step and by another step or try. See its timeline with `postern message show`',
      )
    }
    items.forEach(({ job }, index) => {
      if (job.kind === 'receipt' && receiptResults[index] === 'settled')
        context.tally.count(job.routeId, job.cause)
    })
    return receiptResults
  } catch (error) {
    if (isTransient(error)) throw error
    if (items.length === 1) {
      await parkJob(context, 'settle', items[0]!.job, error as Error)
      return ['settled']
    }
    const receiptResults: ReceiptResult[] = []
    for (const item of items) receiptResults.push(...(await settleOrPark(context, [item], notBefore)))
    return receiptResults
  }
}
