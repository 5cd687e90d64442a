/**
 * What processes tell all API processes several times a second, as transient broker messages: workers what intake records,
 * API processes what accounts ask for. A report that is lost or cannot be read is replaced by the next one.
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
export const maxClaims = 50

const claims = Type.Optional(
  Type.Array(Type.Object({ demand: count, weight: Type.Number({ exclusiveMinimum: 0, maximum: 1e9 }) }), {
    maxItems: maxClaims,
  }),
)

const demandReportSchema = Type.Object({
  v: Type.Literal(1),
  kind: Type.Literal('demand'),
  process,
  /** What accounts ask for a second at this process. */
  lanes: Type.Object({ urgent: claims, normal: claims, bulk: claims }),
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
