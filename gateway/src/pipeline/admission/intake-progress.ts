/**
 * Tells the API processes what intake records: how many messages of each lane, and how old they were. Sent five times a second
 * while there is work, and not at all without it. Called by intake after each batch.
 */
import { randomUUID } from 'node:crypto'
import type { Lane } from '../../channels/lane.ts'
import type { AcceptedJob } from '../../jobs/jobs.ts'
import type { Broker } from '../../platform/broker/broker.ts'
import { clock } from '../../platform/clock.ts'
import { reportEveryMs } from './lane-watch.ts'
import type { IntakeReport } from './load-report.ts'

export class IntakeProgress {
  readonly #broker: Pick<Broker, 'broadcast'>
  readonly #topic: string
  readonly #process = randomUUID()
  #lanes: IntakeReport['lanes'] = {}
  #timer: NodeJS.Timeout | undefined

  constructor(broker: Pick<Broker, 'broadcast'>, topic: string) {
    this.#broker = broker
    this.#topic = topic
  }

  /** A batch of the lane is committed and released. */
  recorded(lane: Lane, jobs: readonly Pick<AcceptedJob, 'acceptedAt'>[]): void {
    const before = this.#lanes[lane]?.recorded ?? 0
    const ageMs = Math.max(0, clock.now() - medianOf(jobs.map(({ acceptedAt }) => acceptedAt)))
    this.#lanes[lane] = { recorded: before + jobs.length, ageMs }
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#send(), reportEveryMs).unref()
  }

  #send(): void {
    this.#timer = undefined
    const report: IntakeReport = { v: 1, kind: 'intake', process: this.#process, lanes: this.#lanes }
    this.#lanes = {}
    this.#broker.broadcast(this.#topic, report)
  }
}

/** Not the oldest: a job that an operator returned from the parked ones may be days old. */
function medianOf(times: number[]): number {
  times.sort((one, other) => one - other)
  return times[times.length >> 1] ?? Infinity
}
