/**
 * The settle stage: matches receipts to attempts (in any order, with any spelling of the id, early, late, repeated), ends
 * steps, and starts the next step or closes the message. A receipt that matches nothing yet waits here for its attempt to
 * be recorded, then in a table until its lifetime ends. A job is acknowledged after its effect is committed. Called by
 * the worker role.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { ReceiptJob, SettleJob } from '../../jobs/jobs.ts'
import { parkJob } from '../../records/parked/park.ts'
import { readSettleJob } from '../../jobs/read.ts'
import { storeOrphans } from '../../records/attempts/orphans.ts'
import { clock } from '../../platform/clock.ts'
import { Batcher } from '../../platform/batcher.ts'
import type { Broker } from '../../platform/broker/broker.ts'
import type { Consumption } from '../../platform/broker/consume.ts'
import type { Topology } from '../../jobs/queues.ts'
import type { Database } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { retryTransient } from '../../platform/retry.ts'
import { isTransient, scopeOf } from '../../platform/transient.ts'
import type { RouteTable } from '../../routes/table.ts'
import type { RouteResultCounter } from '../../routes/result-counter.ts'
import type { Outbox } from '../scheduling/outbox.ts'
import type { ReceiptResult } from './batch.ts'
import { createScope, type SettleItem } from './match-items.ts'
import { settleOrPark } from './settle-or-park.ts'
import { SlowReceipts } from './slow-receipts.ts'

export interface SettleContext {
  readonly broker: Broker
  readonly topology: Topology
  readonly database: Database
  readonly outbox: Outbox
  readonly routes: Pick<RouteTable, 'value'>
  /** Attempts of this many days can be matched. */
  readonly retentionDays: number
  readonly resultCounter: Pick<RouteResultCounter, 'count'>
  readonly metrics: Metrics
  readonly log: Log
  readonly signal: AbortSignal
}

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

export function startSettle(context: SettleContext): Consumption {
  const { broker, topology, database, metrics, log, signal } = context
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
  const settle = (job: SettleJob, byRecipient: boolean): Promise<ReceiptResult> =>
    retryTransient(() => batcher.add({ job, byRecipient }), { what: 'settling', log, signal })

  async function settleReceipt(receipt: ReceiptJob): Promise<void> {
    if (await matchRepeatedly(receipt)) return
    metrics.receipts.inc({ result: 'orphaned' })
    await retryTransient(() => storeOrPark(receipt), { what: 'storing an unmatched receipt', log, signal })
  }

  /** False when it matches nothing, or when too many receipts of its route wait already. */
  async function matchRepeatedly(receipt: ReceiptJob): Promise<boolean> {
    const { routeId } = receipt
    let isSlow = false
    try {
      for (const [index, delayMs] of matchDelaysMs.entries()) {
        if ((await settle(receipt, index === matchDelaysMs.length - 1)) !== 'unmatched') return true
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

  async function readAndSettle(candidate: unknown): Promise<void> {
    const read = readSettleJob(candidate)
    if (!read.ok) {
      await retryTransient(() => parkJob(context, 'settle', candidate, read.reason), {
        what: 'parking a job',
        log,
        signal,
      })
    } else if (read.job.kind === 'receipt') {
      await settleReceipt(read.job)
    } else {
      await settle(read.job, false)
    }
  }

  return broker.consume(topology.receipts, { prefetch: 64 }, async ({ jobs }) => {
    await Promise.all(jobs.map(readAndSettle))
  })
}
