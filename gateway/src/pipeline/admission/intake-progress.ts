/**
 * Reports to the API processes what intake holds and records: how many messages of each lane, and how old they were. Sent five times
 * a second while there is work, also while a batch takes long, and not at all without it. Called by intake.
 */
import { lanes, type Lane } from '../../channels/lane.ts'
import type { AcceptedJob } from '../../jobs/jobs.ts'
import type { Broker } from '../../platform/broker/broker.ts'
import { clock } from '../../platform/clock.ts'
import { LaneProgress } from './lane-progress.ts'
import { reportEveryMs } from './lane-watch.ts'
import type { IntakeReport } from './load-report.ts'

export class IntakeProgress {
  readonly #broker: Pick<Broker, 'broadcast'>
  readonly #topic: string
  readonly #processId: string
  readonly #byLane: Readonly<Record<Lane, LaneProgress>> = {
    urgent: new LaneProgress(),
    normal: new LaneProgress(),
    bulk: new LaneProgress(),
  }
  #timer: NodeJS.Timeout | undefined

  constructor(broker: Pick<Broker, 'broadcast'>, topic: string, processId: string) {
    this.#processId = processId
    this.#broker = broker
    this.#topic = topic
  }

  /** Messages of the lane were taken from the queue. */
  taken(lane: Lane, messages: number): void {
    this.#byLane[lane].taken(messages, performance.now())
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#send(), reportEveryMs).unref()
  }

  /** Messages that were taken are recorded, parked or given back. */
  left(lane: Lane, messages: number): void {
    this.#byLane[lane].left(messages)
  }

  /** A batch of the lane is committed and released. */
  recorded(lane: Lane, jobs: readonly Pick<AcceptedJob, 'acceptedAt'>[]): void {
    const ageMs = Math.max(0, clock.now() - medianOf(jobs.map(({ acceptedAt }) => acceptedAt)))
    this.#byLane[lane].recorded(jobs.length, ageMs, performance.now())
  }

  #send(): void {
    const report: IntakeReport = { v: 1, kind: 'intake', process: this.#processId, lanes: {} }
    for (const lane of lanes) {
      const ofLane = this.#byLane[lane].report()
      if (ofLane !== undefined) report.lanes[lane] = ofLane
    }
    // The last report of a busy time says that nothing is held; only then it is over.
    const isOver = Object.keys(report.lanes).length === 0
    this.#timer = isOver ? undefined : setTimeout(() => this.#send(), reportEveryMs).unref()
    if (!isOver) this.#broker.broadcast(this.#topic, report)
  }
}

/** Not the oldest: a job that an operator returned from the parked ones may be days old. */
function medianOf(times: number[]): number {
  times.sort((one, other) => one - other)
  return times[times.length >> 1] ?? Infinity
}
