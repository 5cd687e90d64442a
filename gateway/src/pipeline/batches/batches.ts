/**
 * The work of a worker on batches: checks lines, creates messages, and places waiting messages again after their
 * batch was resumed or cancelled. Workers need no coordination: a worker makes the next step of a batch while it
 * holds the lock on its row, and a crash rolls the step back.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { inTransaction, isRolledBack, type Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/logging/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { every, type Periodic } from '../../platform/time/periodic.ts'
import { deferBatch } from '../../records/batches/feeding.ts'
import { claimBatchWork, readMsUntilDue, type BatchWork } from '../../records/batches/work.ts'
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
/** A batch that becomes due before the time that was read, because a client starts it, is found within this time. */
const maxWaitMs = 1_000
/** A batch whose next step fails must not delay the others. */
const failedDelayMs = 5_000

export function startBatches(context: BatchesContext): Periodic {
  const { database, log } = context
  const changes = new BatchChanges(context)
  // The check of many uploads must not delay the messages of running batches.
  const running = new BatchLoop(context, 'running')
  const loops = [running, new BatchLoop(context, 'checking', running)]
  let nextReadAt = -Infinity
  const starting = every(pollMs, 'finding due batches', log, async (signal) => {
    const idle = loops.filter(({ isRunning }) => !isRunning)
    if (idle.length === 0 || performance.now() < nextReadAt) return
    // An installation without batches pays for this statement only.
    const dueIn = await readMsUntilDue(database)
    const waits = loops.flatMap(({ state }) => dueIn[state] ?? []).filter((ms) => ms > 0)
    for (const loop of idle) if (dueIn[loop.state] === 0) loop.start(signal)
    if (loops.every(({ isRunning }) => !isRunning))
      nextReadAt = performance.now() + Math.min(...waits, maxWaitMs)
  })
  // Runs beside the processing, which can take long: otherwise a short pause would be missed.
  const waking = every(pollMs, 'waking steps of batches', log, () => changes.follow())
  return {
    async stop() {
      await Promise.all([starting.stop(), waking.stop()])
      await Promise.all(loops.map((loop) => loop.ended()))
    },
  }
}

/** The rest after each page of a check while messages are created: the check then takes at most a quarter of the process. */
const restPerWork = 3

/** Processes the due batches in one state, one after the other, and rotates between their accounts. */
class BatchLoop {
  readonly state: BatchWork['state']
  readonly #context: BatchesContext
  readonly #yieldsTo: BatchLoop | undefined
  readonly #progress = createProgress()
  #run: Promise<void> | undefined

  /** Rests while `yieldsTo` is running. */
  constructor(context: BatchesContext, state: BatchWork['state'], yieldsTo?: BatchLoop) {
    this.#context = context
    this.state = state
    this.#yieldsTo = yieldsTo
  }

  get isRunning(): boolean {
    return this.#run !== undefined
  }

  start(signal: AbortSignal): void {
    this.#run = this.#processDue(signal).finally(() => (this.#run = undefined))
  }

  async ended(): Promise<void> {
    await this.#run
  }

  async #processDue(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        const startedMs = performance.now()
        if (!(await processNextBatch(this.#context, this.state, this.#progress))) return
        if (this.#yieldsTo?.isRunning === true)
          await pause(restPerWork * (performance.now() - startedMs), undefined, { signal })
      }
    } catch (error) {
      if (signal.aborted) return
      this.#context.log.warn({ err: error as Error }, 'processing batches failed; retrying')
    }
  }
}

/** What a worker remembers from one batch to the next. */
export interface BatchProgress {
  readonly size: BatchSize
  /** The last accounts, longest ago first. */
  readonly served: Set<number>
}

const maxServed = 1_000

export function createProgress(): BatchProgress {
  return { size: new BatchSize(), served: new Set() }
}

/** Makes the next step of one batch. Returns false if none is due. */
export async function processNextBatch(
  context: BatchesContext,
  state: BatchWork['state'],
  { size, served }: BatchProgress = createProgress(),
): Promise<boolean> {
  const { database, metrics, log } = context
  const startedMs = performance.now()
  let batchId: number | undefined
  let fed: FedMessages | undefined
  try {
    await inTransaction(database, async (transaction) => {
      const batch = await claimBatchWork(transaction, state, [...served])
      if (batch === null) return
      batchId = batch.id
      moveToEnd(served, batch.accountId)
      if (state === 'checking') await checkNextPage(transaction, batch, context)
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

function moveToEnd(served: Set<number>, accountId: number): void {
  served.delete(accountId)
  served.add(accountId)
  const [longestAgo] = served
  if (served.size > maxServed) served.delete(longestAgo!)
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
