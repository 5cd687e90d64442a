/**
 * Which partitions a worker takes and keeps. During a rolling upgrade another version may assign partitions differently,
 * and each side may take a partition for the other's. So a worker gives a partition up only to a worker of its own version,
 * and takes what is left free. While the list of workers stays the same, every partition gets an owner and keeps it:
 * a worker never stops what it would take, and each partition is taken by one worker of each version. Used by `Ownership`.
 */
import { assignPartitions } from './assign-partitions.ts'
import type { Heartbeat } from './workers-table.ts'

/** A worker that wants a free partition takes it with its next heartbeat, which is a second away at most. */
const leftFreeMs = 2_000

export interface Wanted {
  /** To be taken now. */
  readonly take: ReadonlySet<number>
  /** Not to be stopped. */
  readonly keep: ReadonlySet<number>
}

export class WantedPartitions {
  readonly #partitions: number
  readonly #worker: string
  readonly #freeSince = new Map<number, number>()

  constructor(partitions: number, worker: string) {
    this.#partitions = partitions
    this.#worker = worker
  }

  /** Called with every heartbeat. `now`: in milliseconds. */
  update(
    { others, peers, own, held }: Pick<Heartbeat, 'others' | 'peers' | 'own' | 'held'>,
    now: number,
  ): Wanted {
    this.#watchFree([...own, ...held], now)
    const assigned = this.#assigned(others)
    if (peers.length === others.length) return { take: assigned, keep: assigned }
    const amongPeers = this.#assigned(peers)
    const owned = new Set(own)
    const left = [...amongPeers].filter(
      (n) => owned.has(n) || now - (this.#freeSince.get(n) ?? now) >= leftFreeMs,
    )
    return { take: new Set([...assigned, ...left]), keep: new Set([...assigned, ...amongPeers]) }
  }

  #assigned(others: readonly string[]): ReadonlySet<number> {
    return assignPartitions(this.#partitions, [...others, this.#worker]).get(this.#worker)!
  }

  #watchFree(owned: readonly number[], now: number): void {
    for (const partition of owned) this.#freeSince.delete(partition)
    const taken = new Set(owned)
    for (let partition = 0; partition < this.#partitions; partition++)
      if (!taken.has(partition) && !this.#freeSince.has(partition)) this.#freeSince.set(partition, now)
  }
}
