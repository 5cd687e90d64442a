/**
 * The work of a worker on batches: checks lines, creates messages, and places waiting messages again after their
 * batch was resumed or cancelled. Workers need no coordination: a worker makes the next step of a batch while it
 * holds the lock on its row, and a crash rolls the step back.
 */
import { inTransaction, isRolledBack, type Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/logging/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { every, type Periodic } from '../../platform/time/periodic.ts'
import { deferBatch } from '../../records/batches/feeding.ts'
import { claimBatchWork } from '../../records/batches/work.ts'
import { closeSuspended } from '../../records/messages/stopped.ts'
import { wakeBatchSteps } from '../../records/waiting/wake-batch.ts'
import type { StoppedBatchTable } from '../../trust/batches/stopped-batches.ts'
import { BatchSize } from '../intake/batch-size.ts'
import { checkNextPage } from './check.ts'
import { feedBatch, type FeedContext, type FedMessages } from './feed.ts'

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
  const waking = every(pollMs, 'waking steps of batches', log, () => changes.follow())
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
  let fed: FedMessages | undefined
  try {
    await inTransaction(database, async (transaction) => {
      const batch = await claimBatchWork(transaction)
      if (batch === null) return
      batchId = batch.id
      if (batch.state === 'checking') await checkNextPage(transaction, batch, context)
      else fed = await feedBatch(context, transaction, batch, size.maxItems)
    })
  } catch (error) {
    if (batchId === undefined) throw error
    log.error({ batchId, err: error as Error }, 'the next lines of a batch cannot be processed; retrying')
    // The commit has failed. If its result is unknown, the caps stay counted.
    if (isRolledBack(error)) fed?.uncount()
    await deferBatch(database, batchId, failedDelayMs)
    return true
  }
  const created = fed?.jobs ?? []
  if (created.length > 0) {
    size.record(created.length, performance.now() - startedMs)
    metrics.recorded.inc(created.length)
    for (const { steps } of created) metrics.accepted.inc({ channel: steps[0]!.channel })
  }
  return batchId !== undefined
}

/** Other processes follow a change within two seconds; until then they may hold steps again. */
const followMs = 5_000
const wakeEveryMs = 1_000

/** Detects batches that were resumed or cancelled, and wakes or ends their waiting steps until every process follows the change. */
class BatchChanges {
  readonly #context: Pick<BatchesContext, 'database' | 'listStoppedBatches'>
  #lastStopped: StoppedBatchTable = new Map()
  /** Until when the steps of each changed batch are woken, in monotonic time. */
  readonly #wakeUntil = new Map<number, number>()
  #nextWakeAt = -Infinity

  constructor(context: Pick<BatchesContext, 'database' | 'listStoppedBatches'>) {
    this.#context = context
  }

  async follow(): Promise<void> {
    const { database, listStoppedBatches } = this.#context
    const now = performance.now()
    const stopped = listStoppedBatches()
    this.#detectChanges(stopped, now)
    if (now < this.#nextWakeAt) return
    for (const [id, until] of this.#wakeUntil) {
      const isCancelled = stopped.has(id)
      await wakeBatchSteps(database, id, isCancelled ? 'cancelled' : 'resumed')
      if (isCancelled) await closeSuspended(database, id)
      if (now >= until) this.#wakeUntil.delete(id)
    }
    this.#nextWakeAt = now + wakeEveryMs
  }

  #detectChanges(stopped: StoppedBatchTable, now: number): void {
    if (stopped === this.#lastStopped) return
    for (const id of new Set([...stopped.keys(), ...this.#lastStopped.keys()])) {
      if (stopped.get(id) === 'paused') this.#wakeUntil.delete(id)
      else if (stopped.get(id) !== this.#lastStopped.get(id)) this.#wakeUntil.set(id, now + followMs)
    }
    this.#lastStopped = stopped
  }
}
