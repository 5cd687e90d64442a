/**
 * What processes report to all API processes several times a second, as transient broker messages: workers what intake
 * records, API processes what accounts ask for and what they have published. A report that is lost or cannot be read is
 * replaced by the next one.
 */
import { Type, type Static } from 'typebox'
import { Compile } from 'typebox/compile'

const count = Type.Number({ minimum: 0, maximum: 1e9 })
const process = Type.String({ minLength: 1, maxLength: 64 })

/** See `LaneReport`. */
const intakeOfLane = Type.Optional(
  Type.Object({
    recorded: count,
    coveredMs: count,
    held: count,
    ageMs: count,
  }),
)

const intakeReportSchema = Type.Object({
  v: Type.Literal(1),
  kind: Type.Literal('intake'),
  process,
  lanes: Type.Object({ urgent: intakeOfLane, normal: intakeOfLane, bulk: intakeOfLane }),
})

/** worker → API processes. */
export type IntakeReport = Static<typeof intakeReportSchema>

/** Accounts that a report lists one by one, at most; the last of them stands for all others. */
export const maxDemands = 50

const demands = Type.Optional(
  Type.Array(Type.Object({ demand: count, weight: Type.Number({ exclusiveMinimum: 0, maximum: 1e9 }) }), {
    maxItems: maxDemands,
  }),
)

const total = Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
/** See `Published`. */
const published = Type.Object({ groups: total, jobs: total, bytes: total })
const publishedByLane = Type.Optional(Type.Object({ urgent: published, normal: published, bulk: published }))

const demandReportSchema = Type.Object({
  v: Type.Literal(1),
  kind: Type.Literal('demand'),
  process,
  /** What accounts ask for a second at this process. */
  lanes: Type.Object({ urgent: demands, normal: demands, bulk: demands }),
  /** What this process has published to each lane since it started, and what it had when it last reported. */
  published: publishedByLane,
  publishedBefore: publishedByLane,
})

/** API process → API processes. */
export type DemandReport = Static<typeof demandReportSchema>

export type LoadReport = IntakeReport | DemandReport

const schema = Compile(Type.Union([intakeReportSchema, demandReportSchema]))

/** Undefined when this process cannot read it. */
export function readLoadReport(candidate: unknown): LoadReport | undefined {
  return schema.Check(candidate) ? candidate : undefined
}

/** The topic of all reports of an installation. */
export function loadTopic(prefix: string): string {
  return `${prefix}load`
}
