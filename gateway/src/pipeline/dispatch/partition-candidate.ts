/**
 * Competes for the leadership of one partition on behalf of this process, and runs the partition while it holds it. Losing
 * the leadership stops the work. A process that was cut off may overlap with the next owner for a few heartbeats; claims
 * keep the two from submitting the same step.
 */
import type { Leadership } from '../../platform/broker/leadership.ts'
import type { Route } from '../../routes/route.ts'
import { PartitionOwner, type PartitionContext } from './partition.ts'

export class PartitionCandidate {
  readonly #partition: number
  readonly #context: PartitionContext
  readonly #leadership: Leadership
  #table: readonly Route[] = []
  #owner: PartitionOwner | undefined
  /** Starts and stops run one after another, however fast the leadership changes. */
  #transition: Promise<void> = Promise.resolve()

  constructor(partition: number, context: PartitionContext) {
    this.#partition = partition
    this.#context = context
    this.#leadership = context.broker.competeForLeadership(context.topology.owner(partition), {
      onGained: () => this.#enqueue(() => this.#start()),
      onLost: () => this.#enqueue(() => this.#stop()),
      isEligible: () => context.isEligible(),
    })
  }

  update(table: readonly Route[]): void {
    this.#table = table
    this.#owner?.update(table)
  }

  /** False when this process owns the partition and cannot consume its jobs. */
  get healthy(): boolean {
    return !this.#leadership.owned || (this.#owner?.active ?? false)
  }

  async close(): Promise<void> {
    this.#enqueue(() => this.#stop())
    await this.#transition
    await this.#leadership.release()
    await this.#transition
  }

  #enqueue(work: () => Promise<void> | void): void {
    this.#transition = this.#transition.then(work).catch((error: unknown) => {
      this.#context.log.error(
        { err: error as Error, partition: this.#partition },
        'cannot start or stop the partition',
      )
    })
  }

  #start(): void {
    if (this.#owner !== undefined || !this.#leadership.owned) return
    this.#owner = new PartitionOwner(this.#partition, this.#table, this.#context)
  }

  async #stop(): Promise<void> {
    const owner = this.#owner
    this.#owner = undefined
    await owner?.stop()
  }
}
