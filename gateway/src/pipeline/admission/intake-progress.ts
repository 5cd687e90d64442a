import { Type, type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Lane } from '../../channels/lane.ts'
import type { AcceptedJob } from '../../jobs/jobs.ts'
import type { Broker } from '../../platform/broker/broker.ts'
import { clock } from '../../platform/time/clock.ts'

const count = Type.Number({ minimum: 0 })
const byProcess = Type.Record(
  Type.String({ maxLength: 32 }),
  Type.Object({ messages: count, acceptedUntil: count }),
)
const laneReport = Type.Optional(
  Type.Object({
    /** Median time from acceptance to record in the last batch. */
    ageMs: count,
    /** Messages recorded since the last report, by the process that accepted them. */
    recorded: byProcess,
  }),
)
const reportSchema = Type.Object({ urgent: laneReport, normal: laneReport, bulk: laneReport })
const compiled = Compile(reportSchema)

export type IntakeReport = Static<typeof reportSchema>

/** Short compared with the window; otherwise accounts could not use the whole capacity of intake. */
const reportEveryMs = 100

/**
 * Reports to the API processes which of their messages intake has recorded. A report is a transient broker message. A
 * lost one does no harm, because the next one contains the time up to which messages are recorded.
 */
export class IntakeProgress {
  readonly #broker: Pick<Broker, 'broadcast'>
  readonly #topic: string
  #report: IntakeReport = {}
  #timer: NodeJS.Timeout | undefined

  constructor(broker: Pick<Broker, 'broadcast'>, topic: string) {
    this.#broker = broker
    this.#topic = topic
  }

  /** Must be called when a batch of the lane is committed and released. */
  countRecorded(lane: Lane, jobs: readonly Pick<AcceptedJob, 'acceptedAt' | 'acceptedBy'>[]): void {
    const report = (this.#report[lane] ??= { ageMs: 0, recorded: {} })
    const times = jobs.map(({ acceptedAt }) => acceptedAt).sort((one, other) => one - other)
    // Use the median, not the oldest: a parked job that an operator returned may be days old.
    report.ageMs = Math.max(0, clock.now() - times[times.length >> 1]!)
    for (const { acceptedBy, acceptedAt } of jobs) {
      if (acceptedBy === undefined) continue
      const counted = (report.recorded[acceptedBy] ??= { messages: 0, acceptedUntil: 0 })
      counted.messages++
      counted.acceptedUntil = Math.max(counted.acceptedUntil, acceptedAt)
    }
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#send(), reportEveryMs).unref()
  }

  #send(): void {
    this.#timer = undefined
    this.#broker.broadcast(this.#topic, this.#report)
    this.#report = {}
  }
}

/** Returns undefined if the message is not a report. */
export function readIntakeReport(message: unknown): IntakeReport | undefined {
  return compiled.Check(message) ? message : undefined
}

export function intakeTopic(queuePrefix: string): string {
  return `${queuePrefix}recorded`
}
