/**
 * Decides which partitions this worker runs. Every worker renews its row once a second and computes the assignment of the
 * partitions from the list of live workers. It stops and frees what another one should own, and takes what is free or whose
 * worker is gone. A worker that cannot renew its row stops its partitions before others may take them, and so does one
 * that cannot reach the broker. What a worker on the same machine owned is free as soon as its process has ended. A partition whose queue cannot be consumed is stopped and started again. A worker that was
 * frozen may overlap with the next owner until it wakes; claims and the single active consumer of each queue keep the two
 * from submitting the same step. Started by `startDispatch`.
 */
import { hostname } from 'node:os'
import { clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { hasEnded } from '../../platform/machine.ts'
import { processId } from '../../platform/process-id.ts'
import { every, type Periodic } from '../../platform/periodic.ts'
import type { PartitionOwner } from './partition.ts'
import { WantedPartitions } from './wanted-partitions.ts'
import {
  beat,
  freePartitions,
  removeWorker,
  retireWorker,
  takePartitions,
  type Heartbeat,
} from './workers-table.ts'

export interface OwnershipContext {
  /** A connection of its own: a busy pool must not delay the renewal. */
  readonly database: Queryable
  readonly partitions: number
  readonly isBrokerConnected: () => boolean
  readonly start: (partition: number) => Owner
  /** When the oldest receipt that this worker has not settled was published; shared with other workers. */
  readonly oldestReceiptAt?: (() => Date | null) | undefined
  readonly metrics: Pick<Metrics, 'partitions'>
  readonly log: Log
  /** See the default; tests set it lower. */
  readonly renewWithinMs?: number | undefined
}

const tickMs = 250
const beatEveryMs = 1_000
/** On the monotonic clock of this process. Stopping the routes takes 2 s then; others take them 7 s after the last renewal. */
const defaultRenewWithinMs = 5_000
/** A broker that restarts or fails over is often back in a moment. */
const brokerWithinMs = 1_500
/** A queue whose leader changes is consumed again within this time. */
const inactiveMs = 10_000

/** Tests run several workers in one process. */
let instances = 0
const nextInstance = (): number => (instances += 1)

type Owner = Pick<PartitionOwner, 'active' | 'stop' | 'drained'>

export class Ownership {
  readonly worker = { id: `${processId}.${nextInstance()}`, host: `${hostname()}:${process.pid}` }
  readonly #context: OwnershipContext
  readonly #wanted: WantedPartitions
  readonly #owners = new Map<number, Owner>()
  /** When each partition that this worker runs was consumed last. */
  readonly #activeAt = new Map<number, number>()
  /** Partitions that are being stopped; they are not started again before that has ended. */
  readonly #stopping = new Map<number, Promise<void>>()
  readonly #beats: Periodic
  readonly #watch: NodeJS.Timeout
  #renewedAt = -Infinity
  /** When the first renewal of those without a break was answered. */
  #answersSince = 0
  #connectedAt = performance.now()
  #nextBeat = 0
  #leaving = false
  #othersSettledThrough: Date | null = null

  constructor(context: OwnershipContext) {
    this.#context = context
    this.#wanted = new WantedPartitions(context.partitions, this.worker.id)
    this.#beats = every(tickMs, 'renewing the ownership of partitions', context.log, () => this.#tick())
    // Apart from the renewal, which may wait for PostgreSQL.
    this.#watch = setInterval(() => this.#check(), tickMs)
  }

  /** True while PostgreSQL has answered recently, so that this worker may own partitions. */
  get renewed(): boolean {
    const { renewWithinMs = defaultRenewWithinMs } = this.#context
    return performance.now() - this.#renewedAt < renewWithinMs
  }

  /** For how long PostgreSQL has answered without a break; 0 while it does not. */
  get answeringMs(): number {
    return this.renewed ? performance.now() - this.#answersSince : 0
  }

  /** See `Heartbeat`. */
  get othersSettledThrough(): Date | null {
    return this.#othersSettledThrough
  }

  /** False when this worker cannot renew its row or cannot consume the queue of a partition it owns. */
  get healthy(): boolean {
    return this.renewed && [...this.#owners.values()].every((owner) => owner.active)
  }

  async stop(): Promise<void> {
    this.#leaving = true
    this.#nextBeat = 0
    this.#stopAll()
    await Promise.all(this.#stopping.values())
    clearInterval(this.#watch)
    await this.#beats.stop()
    const { database, log } = this.#context
    await removeWorker(database, this.worker.id).catch((error: unknown) => {
      log.debug({ err: error as Error }, 'cannot remove the row of this worker; it expires')
    })
  }

  #check(): void {
    this.#context.metrics.partitions.set(this.#owners.size)
    if (this.#context.isBrokerConnected()) this.#connectedAt = performance.now()
    if (!this.renewed) this.#loseAll('PostgreSQL does not answer')
    else if (!this.#isAvailable()) this.#loseAll('the broker is not connected')
    else this.#stopInactive()
  }

  #stopInactive(): void {
    const now = performance.now()
    for (const [partition, { active }] of this.#owners) {
      if (active) this.#activeAt.set(partition, now)
      else if (now - this.#activeAt.get(partition)! >= inactiveMs)
        this.#stop(partition, 'its queue cannot be consumed')
    }
  }

  #isAvailable(): boolean {
    return !this.#leaving && performance.now() - this.#connectedAt < brokerWithinMs
  }

  async #tick(): Promise<void> {
    if (performance.now() < this.#nextBeat) return
    const sentAt = performance.now()
    const available = this.#isAvailable()
    const { database, oldestReceiptAt = () => null } = this.#context
    const heartbeat = await beat(database, this.worker, available, clock.agrees, oldestReceiptAt())
    this.#othersSettledThrough = heartbeat.othersSettledThrough
    if (!this.renewed) this.#answersSince = performance.now()
    // PostgreSQL began to count after the statement was sent: here the time ends first.
    this.#renewedAt = sentAt
    this.#nextBeat = sentAt + beatEveryMs
    if (available && this.#isAvailable()) await this.#apply(heartbeat)
    else await this.#freeUnused(heartbeat.own, new Set())
    await this.#removeEnded(heartbeat)
  }

  /** Their leases would last for seconds more, and nobody can be using them. */
  async #removeEnded({ neighbours }: Heartbeat): Promise<void> {
    for (const { id, pid } of neighbours) {
      if (!hasEnded(pid)) continue
      this.#context.log.warn(
        { worker: id, pid },
        'a worker on this machine ended without stopping; its routes are taken over. What it had claimed becomes unknown: find out why it ended',
      )
      await retireWorker(this.#context.database, id)
      this.#nextBeat = 0
    }
  }

  /**
   * Frees what this worker neither runs nor is to run: an earlier statement failed, or PostgreSQL lost it in a failover. The
   * lease of the partition would last as long as this worker.
   */
  async #freeUnused(own: readonly number[], take: ReadonlySet<number>): Promise<void> {
    const unused = own.filter((n) => !this.#owners.has(n) && !this.#stopping.has(n) && !take.has(n))
    if (unused.length > 0) await freePartitions(this.#context.database, this.worker.id, unused)
  }

  async #apply(heartbeat: Heartbeat): Promise<void> {
    const { own, held } = heartbeat
    const { take, keep } = this.#wanted.update(heartbeat, performance.now())
    await this.#freeUnused(own, take)
    const owned = new Set(own)
    for (const partition of this.#owners.keys()) {
      if (!owned.has(partition)) this.#stop(partition, 'another worker has taken it')
      else if (!keep.has(partition)) this.#stop(partition, 'it is assigned to another worker')
    }
    const missing = [...take].filter((n) => !this.#owners.has(n) && !this.#stopping.has(n))
    if (missing.length === 0) return
    const free = missing.filter((n) => !held.includes(n))
    const taken = await takePartitions(this.#context.database, this.worker.id, free)
    if (!this.#isAvailable()) return
    for (const partition of taken) {
      this.#owners.set(partition, this.#context.start(partition))
      this.#activeAt.set(partition, performance.now())
    }
    if (taken.length > 0)
      this.#context.log.info({ partitions: taken.length }, 'this worker has taken partitions')
    // Their workers free them as soon as they have stopped.
    if (taken.length < missing.length) this.#nextBeat = 0
  }

  #loseAll(reason: string): void {
    if (this.#owners.size === 0) return
    this.#context.log.warn(
      { partitions: this.#owners.size, reason },
      'this worker stops all its routes, and other workers take them over if they can. It takes its share again when the connection is back: check PostgreSQL, the broker and the network',
    )
    this.#stopAll()
  }

  #stopAll(): void {
    for (const partition of this.#owners.keys()) this.#stop(partition)
  }

  #stop(partition: number, reason?: string): void {
    const owner = this.#owners.get(partition)
    if (owner === undefined) return
    this.#owners.delete(partition)
    if (reason !== undefined)
      this.#context.log.info({ partition, reason }, 'this worker stops the routes of a partition')
    const stopped = this.#release(partition, owner).finally(() => this.#stopping.delete(partition))
    this.#stopping.set(partition, stopped)
  }

  async #release(partition: number, owner: Owner): Promise<void> {
    const { database, log } = this.#context
    await owner.stop()
    await freePartitions(database, this.worker.id, [partition]).catch((error: unknown) => {
      log.debug(
        { err: error as Error, partition },
        'cannot free a partition; trying again with the next renewal',
      )
    })
    await owner.drained()
  }
}
