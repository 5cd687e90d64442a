/**
 * The work of a worker on batches: checks lines, creates messages, and places waiting messages again after their batch was
 * resumed or cancelled. Workers need no coordination: the lock on the row of a batch is the ownership of its next step, and a
 * crash rolls the step back.
 */
import { inTransaction, type Database } from '../../platform/database/database.ts'
import type { AcceptedJob } from '../../jobs/jobs.ts'
import type { Log } from '../../platform/logging/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { every, type Periodic } from '../../platform/time/periodic.ts'
import { deferBatch } from '../../records/batches/feeding.ts'
import { claimBatchWork } from '../../records/batches/work.ts'
import { wakeBatchSteps } from '../../records/waiting/wake-batch.ts'
import type { StoppedBatchTable } from '../../trust/batches/stopped-batches.ts'
import { BatchSize } from '../intake/batch-size.ts'
import { checkNextPage } from './check.ts'
import { feedBatch, type FeedContext } from './feed.ts'

export interface BatchesContext extends FeedContext {
  readonly database: Database
  readonly listStoppedBatches: () => StoppedBatchTable
  readonly metrics: Pick<Metrics, 'accepted' | 'recorded'>
  readonly log: Log
}

const pollMs = 250
/** A batch whose next step fails must not delay the others. */
const failedDelayMs = 5_000

export function startBatches(context: BatchesContext): Periodic {
  const { log } = context
  const size = new BatchSize()
  const changes = new BatchChanges(context)
  const processing = every(pollMs, 'processing batches', log, async (signal) => {
    while (!signal.aborted && (await processNextBatch(context, size)));
  })
  // Runs beside the processing, which can take long: otherwise a short pause would be missed.
  const waking = every(pollMs, 'waking steps of batches', log, () => changes.wake())
  return {
    async stop() {
      await Promise.all([processing.stop(), waking.stop()])
    },
  }
}

/** Makes the next step of one batch. Returns false if none is due. */
export async function processNextBatch(context: BatchesContext, size: BatchSize): Promise<boolean> {
  const { database, metrics, log } = context
  const startedMs = performance.now()
  let batchId: number | undefined
  let created: readonly AcceptedJob[] = []
  try {
    await inTransaction(database, async (transaction) => {
      const batch = await claimBatchWork(transaction)
      if (batch === null) return
      batchId = batch.id
      if (batch.state === 'checking') await checkNextPage(transaction, batch, context)
      else created = await feedBatch(context, transaction, batch, size.maxItems)
    })
  } catch (error) {
    if (batchId === undefined) throw error
    log.error({ batchId, err: error as Error }, 'the next lines of a batch cannot be processed; retrying')
    await deferBatch(database, batchId, failedDelayMs)
  }
  if (created.length > 0) {
    size.record(created.length, performance.now() - startedMs)
    metrics.recorded.inc(created.length)
    for (const { steps } of created) metrics.accepted.inc({ channel: steps[0]!.channel })
  }
  return batchId !== undefined
}

/** Other processes follow a change within two seconds; until then they may hold steps again. */
const watchedMs = 5_000
const wakeEveryMs = 1_000

/** Detects batches that were resumed or cancelled, and wakes their waiting steps until every process follows the change. */
class BatchChanges {
  readonly #context: Pick<BatchesContext, 'database' | 'listStoppedBatches'>
  #known: StoppedBatchTable = new Map()
  readonly #watched = new Map<number, number>()
  #nextWakeAt = -Infinity

  constructor(context: Pick<BatchesContext, 'database' | 'listStoppedBatches'>) {
    this.#context = context
  }

  async wake(): Promise<void> {
    const { database, listStoppedBatches } = this.#context
    const now = performance.now()
    const stopped = listStoppedBatches()
    if (stopped !== this.#known) {
      for (const id of new Set([...stopped.keys(), ...this.#known.keys()])) {
        if (stopped.get(id) === 'paused') this.#watched.delete(id)
        else if (stopped.get(id) !== this.#known.get(id)) this.#watched.set(id, now + watchedMs)
      }
      this.#known = stopped
    }
    if (now < this.#nextWakeAt) return
    for (const [id, until] of this.#watched) {
      await wakeBatchSteps(database, id, stopped.has(id) ? 'cancelled' : 'resumed')
      if (now >= until) this.#watched.delete(id)
    }
    this.#nextWakeAt = now + wakeEveryMs
  }
}
