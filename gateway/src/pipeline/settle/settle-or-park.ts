/**
 * Settles a batch. When the batch fails for a reason that no retry changes, isolates the job that causes it and parks that
 * job, so that it blocks no other. Called by settle and by the retries of orphaned receipts.
 */
import { parkJob } from '../../records/parked/park.ts'
import type { MessageTrace } from '../../jobs/message-trace.ts'
import type { Topology } from '../../jobs/queues.ts'
import { flushIsolated } from '../../platform/isolation.ts'
import type { Broker } from '../../platform/broker/broker.ts'
import type { Database } from '../../platform/database.ts'
import { isTransient, scopeOf } from '../../platform/transient.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { RouteResultCounter } from '../../routes/result-counter.ts'
import { settleBatch, type ReceiptResult } from './batch.ts'
import type { SettleItem, SettleScope } from './match-items.ts'
import type { Outbox } from '../scheduling/outbox.ts'

export interface SettleOrParkContext {
  readonly broker: Broker
  readonly topology: Topology
  readonly database: Database
  readonly outbox: Outbox
  readonly metrics: Metrics
  readonly trace?: MessageTrace | undefined
  /** Counts how each route's messages ended. */
  readonly resultCounter: Pick<RouteResultCounter, 'count'>
  readonly log: Log
}

export async function settleOrPark(
  context: SettleOrParkContext,
  items: readonly SettleItem[],
  scope: SettleScope,
): Promise<ReceiptResult[]> {
  const results = await flushIsolated([...items], (batch) => settleItems(context, batch, scope), scopeOf)
  const receiptResults: ReceiptResult[] = []
  for (const [index, result] of results.entries()) {
    if (result.status === 'fulfilled') {
      receiptResults.push(result.value)
    } else {
      if (isTransient(result.reason)) throw result.reason
      await parkJob(context, 'settle', items[index]!.job, result.reason as Error)
      receiptResults.push('settled')
    }
  }
  return receiptResults
}

async function settleItems(
  { database, metrics, outbox, log, resultCounter, trace }: SettleOrParkContext,
  items: readonly SettleItem[],
  scope: SettleScope,
): Promise<ReceiptResult[]> {
  const settled = await settleBatch(database, items, scope, metrics, outbox, trace)
  const { receiptResults, deliveredTwice } = settled
  for (const { msgKey, step } of deliveredTwice) {
    log.warn(
      { message: msgKey, step },
      'a message was delivered twice: by this step and by another step or try. See its timeline with `postern message show`',
    )
  }
  items.forEach(({ job }, index) => {
    if (job.kind === 'receipt' && receiptResults[index] === 'settled')
      resultCounter.count(job.routeId, job.cause)
  })
  return receiptResults
}
