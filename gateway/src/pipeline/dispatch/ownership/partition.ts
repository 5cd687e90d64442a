import type { RouteJob } from '../../../jobs/jobs.ts'
import { parkJob } from '../../../records/parked/park.ts'
import { readRouteJob } from '../../../jobs/read.ts'
import { getSealed } from '../../../jobs/sealed.ts'
import { messageCipher } from '../../../platform/encryption/message-cipher.ts'
import { SubscriptionLost, type Consumption } from '../../../platform/broker/consume.ts'
import { isTransient } from '../../../platform/database/transient.ts'
import { settleOrTimeout } from '../../../platform/time/settle-or-timeout.ts'
import type { RouteShare } from '../../../carriers/routes/shares.ts'
import { RouteOwner, type LoopedOwnerContext } from './owner.ts'
import { maxLaneDepth, partitionPrefetch } from '../queue/queue-depth.ts'
import type { Relocation } from './relocation.ts'
import { RouteSlot } from './route-slot.ts'
import { UnlinkedRoute } from './unlinked-route.ts'

export interface PartitionContext extends LoopedOwnerContext {
  readonly relocation: Relocation
  /** Resolves when one more route may start. */
  readonly startTurn: () => Promise<void>
  /** Returns the number of partitions with routes that this process owns. */
  readonly countPartitions: () => number
}

/** Maximum time that a stop waits for the last jobs to return to the queue after the routes have stopped. */
const abandonMs = 20_000

/**
 * Owns a partition: consumes its queue, runs its routes and passes each released step to its route. It receives
 * everything that may have been released to them, so a route that is slow or cannot send blocks no other. A step that
 * cannot be submitted for minutes is moved to the waiting table, because the broker closes a channel whose delivery
 * is held too long. Steps of a route that does not run are moved. A partition has one owner.
 */
export class PartitionOwner {
  readonly #partition: number
  readonly #context: PartitionContext
  readonly #slots = new Map<string, RouteSlot>()
  readonly #stopping = new AbortController()
  readonly #consumption: Consumption
  readonly #drained = Promise.withResolvers<undefined>()
  readonly #prefetch: number
  #routeCount = 0
  #holdScheduled = false

  /** Runs the shares in `table` that belong to the partition; others are ignored. */
  constructor(partition: number, table: readonly RouteShare[], context: PartitionContext) {
    this.#partition = partition
    this.#context = context
    this.update(table)
    const { broker, topology, countPartitions } = context
    this.#prefetch = partitionPrefetch(countPartitions() + 1)
    this.#consumption = broker.consume(
      topology.dispatch[partition]!,
      { prefetch: this.#prefetch },
      async ({ jobs, signal }) => {
        const onAbort = (): void => {
          // The broker sends copies again, which join the steps in memory, so the steps stay.
          if (!(signal.reason instanceof SubscriptionLost)) this.#scheduleHold()
        }
        signal.addEventListener('abort', onAbort, { once: true })
        const results = await Promise.allSettled(jobs.map((job) => this.#process(job, signal)))
        const failed = results.find((result) => result.status === 'rejected')
        if (failed !== undefined) throw failed.reason as Error
      },
    )
  }

  get hasRoutes(): boolean {
    return this.#routeCount > 0
  }

  /** Reports whether the queue is consumed. */
  get active(): boolean {
    return this.#consumption.active
  }

  update(table: readonly RouteShare[]): void {
    if (this.#stopping.signal.aborted) return
    const { topology } = this.#context
    const ownedShares = table.filter(
      ({ id, enabled }) => enabled && topology.getPartition(id) === this.#partition,
    )
    const running = new Map(ownedShares.map((route) => [route.id, route]))
    this.#routeCount = running.size
    for (const [id, route] of running) {
      if (!this.#slots.has(id)) this.#slots.set(id, this.#createSlot(id))
      this.#slots.get(id)!.set(route)
    }
    for (const [id, slot] of this.#slots) if (!running.has(id) && slot.enabled) this.#retire(id, slot)
  }

  /** Restarts routes whose secrets have changed, and starts routes whose start failed. */
  refresh(): void {
    for (const slot of this.#slots.values()) slot.refresh()
  }

  /** Leaves the queue to the next owner immediately. Resolves when the routes have stopped and their links are closed. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the owner of the partition is stopping'))
    const consumed = this.#consumption.stop()
    await Promise.all([...this.#slots.values()].map((slot) => slot.stop(true)))
    void settleOrTimeout(abandonMs, consumed).then(() => this.#drained.resolve(undefined))
  }

  /** Resolves after a stop, when the last jobs have returned to the queue. */
  drained(): Promise<void> {
    return this.#drained.promise
  }

  #createSlot(id: string): RouteSlot {
    const log = this.#context.log.child({ route: id })
    // The prefetch of a consumer is fixed, so the releases follow the number of partitions that share the
    // memory.
    const maxDepth = (): number =>
      maxLaneDepth(
        this.#routeCount,
        Math.min(this.#prefetch, partitionPrefetch(this.#context.countPartitions())),
      )
    return new RouteSlot({
      waitForTurn: this.#context.startTurn,
      start: (route, link) => new RouteOwner(route, this.#context, log, { link, maxDepth }),
      createUnlinked: (route) => new UnlinkedRoute(route, this.#context, log),
      log,
    })
  }

  #retire(id: string, slot: RouteSlot): void {
    void slot.stop().then(() => {
      if (!slot.enabled && this.#slots.get(id) === slot) this.#slots.delete(id)
    })
  }

  /** Ends overdue broker deliveries together: one pass over the routes serves all of them. */
  #scheduleHold(): void {
    if (this.#holdScheduled || this.#stopping.signal.aborted) return
    this.#holdScheduled = true
    setImmediate(() => {
      this.#holdScheduled = false
      for (const slot of this.#slots.values()) slot.current?.holdOverdue()
    })
  }

  #process(candidate: unknown, delivery: AbortSignal, areKeysLoaded = false): Promise<void> {
    const sealed = getSealed(candidate)
    if (sealed !== undefined && !areKeysLoaded && !messageCipher.isReadable(sealed))
      return messageCipher.loadKeys([sealed]).then(() => this.#process(candidate, delivery, true))
    const read = readRouteJob(candidate)
    if (!read.ok) return parkJob(this.#context, 'dispatch', candidate, read.reason)
    return this.#run(read.job, delivery)
  }

  /**
   * Runs a step. This is the only async function between the consumer and the runner: each further one would
   * be kept in memory for every waiting step, thousands of them in a backlog.
   */
  async #run(job: RouteJob, delivery: AbortSignal): Promise<void> {
    const { routeId } = job
    const { signal } = this.#stopping
    for (;;) {
      const slot = this.#slots.get(routeId)
      const owner = slot?.enabled === true ? (slot.settledOwner ?? (await slot.owner())) : undefined
      signal.throwIfAborted()
      if (owner === undefined) {
        const either = AbortSignal.any([signal, delivery])
        return this.#context.relocation.relocate({ job, routeId }, either)
      }
      try {
        return await owner.run(job.lane, job, delivery)
      } catch (error) {
        if (!owner.stopping) {
          if (isTransient(error)) throw error
          return parkJob({ ...this.#context, log: owner.log }, 'dispatch', job, error as Error)
        }
        // The route was stopped alone, because it has changed, is disabled or was deleted.
        if (signal.aborted) throw error
      }
    }
  }
}
