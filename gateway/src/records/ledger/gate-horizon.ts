/**
 * Until when everything that was accepted must have been recorded. A queue delivers in order: when it is empty that is now,
 * otherwise the acceptance of what was recorded last. Deliveries that a process holds are given time to be repeated. Kept
 * by every worker from what its own intake records; a worker that records nothing while messages wait only checks later.
 */
import { lanes, type Lane } from '../../channels/lane.ts'
import type { AcceptedJob } from '../../jobs/jobs.ts'
import type { Topology } from '../../jobs/queues.ts'
import type { Broker } from '../../platform/broker/broker.ts'
import { clock } from '../../platform/clock.ts'

/**
 * A worker that is killed, stopped or cut off from the broker returns its deliveries within seconds; one that is cut off
 * from PostgreSQL alone keeps them until it is connected again.
 */
const holdMs = 5 * 60_000

interface FirstQueue {
  readonly broker: Pick<Broker, 'depth'>
  readonly topology: Pick<Topology, 'accepted'>
}

export class GateHorizon {
  readonly #source: FirstQueue
  readonly #holdMs: number
  readonly #reached = new Map<Lane, number>()

  constructor(source: FirstQueue, hold: number = holdMs) {
    this.#source = source
    this.#holdMs = hold
  }

  /** A batch of a lane was recorded. */
  recorded(lane: Lane, jobs: readonly Pick<AcceptedJob, 'acceptedAt'>[]): void {
    this.#reach(lane, Math.min(...jobs.map(({ acceptedAt }) => acceptedAt)))
  }

  /** Null when nothing is known of a lane yet, or the broker does not answer. */
  async read(): Promise<Date | null> {
    const { broker, topology } = this.#source
    for (const lane of lanes) {
      const at = clock.now()
      if ((await broker.depth(topology.accepted[lane])) === 0) this.#reach(lane, at)
    }
    const reached = lanes.map((lane) => this.#reached.get(lane))
    if (!reached.every((at) => at !== undefined)) return null
    return new Date(Math.min(...reached) - this.#holdMs)
  }

  #reach(lane: Lane, at: number): void {
    this.#reached.set(lane, Math.max(this.#reached.get(lane) ?? 0, at))
  }
}
