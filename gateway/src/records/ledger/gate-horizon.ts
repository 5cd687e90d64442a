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
import { holdMs } from './gate-table.ts'

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
    const reached = lanes.map((lane) => this.#known(lane))
    if (!reached.every((at) => at !== undefined)) return null
    return new Date(Math.min(...reached) - this.#holdMs)
  }

  #reach(lane: Lane, at: number): void {
    this.#reached.set(lane, Math.max(this.#known(lane) ?? 0, at))
  }

  /** A time in the future was reached while PostgreSQL's clock was ahead, and says nothing. */
  #known(lane: Lane): number | undefined {
    const at = this.#reached.get(lane)
    const now = clock.now()
    return at === undefined || at > now ? undefined : at
  }
}
