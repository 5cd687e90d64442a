import type { Log } from '../../../platform/logging/log.ts'
import { Holdings } from '../../../platform/membership/holdings.ts'
import type { Membership } from '../../../platform/membership/membership.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import { assignPartitions } from './assign-partitions.ts'
import type { PartitionOwner } from './partition.ts'

export interface OwnershipContext {
  readonly membership: Membership
  readonly partitions: number
  readonly isBrokerConnected: () => boolean
  readonly start: (partition: number) => Owner
  readonly metrics: Pick<Metrics, 'partitions'>
  readonly log: Log
}

const watchEveryMs = 250
/** A broker that restarts or fails over is often back within this time. */
const brokerWithinMs = 1_500
/** A quorum queue whose leader changes is consumed again within this time. */
const inactiveMs = 10_000

type Owner = Pick<PartitionOwner, 'active' | 'stop' | 'drained'>

/**
 * Decides which partitions this worker runs. Every worker computes the same assignment from the live workers that take
 * partitions, stops the partitions that another one should own, and starts those it has claimed. A worker that is cut
 * off from PostgreSQL or from the broker stops its partitions before others take them. A partition whose queue cannot be
 * consumed is stopped and started again. A worker that was frozen may overlap with the next owner until it wakes; claims
 * and the single active consumer of each queue prevent both from submitting the same step.
 */
export class Ownership {
  readonly #context: OwnershipContext
  readonly #holdings: Holdings<Owner>
  /** Time at which each running partition was last consumed. */
  readonly #activeAt = new Map<string, number>()
  readonly #watch: NodeJS.Timeout
  #connectedAt = performance.now()
  #isStopping = false

  constructor(context: OwnershipContext) {
    this.#context = context
    const { membership, log } = context
    this.#holdings = new Holdings(membership, 'partition', log)
    membership.take('partition', { isReady: () => this.#isAvailable(), onRenewed: () => this.#assign() })
    this.#watch = setInterval(() => this.#check(), watchEveryMs)
  }

  /** True if this worker can own partitions and consumes the queues of those it owns. */
  get healthy(): boolean {
    return (
      this.#context.membership.renewed && [...this.#holdings.running.values()].every(({ active }) => active)
    )
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#watch)
    this.#context.membership.withdraw('partition')
    await this.#holdings.stopAll()
  }

  #isAvailable(): boolean {
    if (this.#isStopping) return false
    // Right after a pause of the whole process, `#connectedAt` is as old as the pause was long.
    return this.#context.isBrokerConnected() || performance.now() - this.#connectedAt < brokerWithinMs
  }

  async #assign(): Promise<void> {
    const { membership, partitions, start, log } = this.#context
    const assigned = this.#isAvailable()
      ? assignPartitions(partitions, [...membership.peers('partition'), membership.id]).get(membership.id)!
      : new Set<number>()
    const claims = await this.#holdings.claim([...assigned].map(String))
    if (!this.#isAvailable()) return
    for (const { key } of claims) {
      this.#holdings.start(key, () => start(Number(key)))
      this.#activeAt.set(key, performance.now())
    }
    if (claims.length > 0) log.info({ partitions: claims.length }, 'this worker has taken partitions')
    // The previous owners release partitions as soon as they have stopped, so try again soon.
    if (this.#holdings.running.size < assigned.size) membership.renewSoon()
  }

  #check(): void {
    const { metrics, isBrokerConnected } = this.#context
    const { running } = this.#holdings
    metrics.partitions.set(running.size)
    if (isBrokerConnected()) this.#connectedAt = performance.now()
    if (this.#isAvailable()) this.#stopInactive()
    else this.#stopAll()
  }

  #stopInactive(): void {
    const now = performance.now()
    for (const [partition, { active }] of this.#holdings.running) {
      if (active) this.#activeAt.set(partition, now)
      else if (now - this.#activeAt.get(partition)! >= inactiveMs)
        this.#holdings.stop(partition, 'its queue cannot be consumed')
    }
  }

  #stopAll(): void {
    const { size } = this.#holdings.running
    if (size === 0) return
    this.#context.log.warn(
      { partitions: size },
      'the broker is not connected; this worker stops all its routes, and other workers take them over if they can. It takes partitions again after reconnecting. Check the broker and the network',
    )
    void this.#holdings.stopAll()
  }
}
