/**
 * The steps that ended as unknown (99999): what the gateway recorded about each of them, which fault explains it, and how
 * much of it the carrier has. An unknown step is explained when its process or its link was lost after the step was
 * claimed. What lies between the claim and the socket cannot be known after a crash: it is bounded instead (ADR 5).
 * Read by verdict.ts and summary.ts.
 */
import type { RecordedSubmission } from '../../../simulator/src/smsc.ts'
import type { Report } from '../support/processes/account-client.ts'
import { query } from '../support/processes/scratch-database.ts'
import { carrierWindow } from './carrier-window.ts'
import type { FaultRun } from './fault-runs.ts'
import { firstFew } from './format.ts'
import { allowedMs } from './judge-fault-runs.ts'
import { refIn, type Kind } from './message-mix.ts'
import { outcomeUnknown } from './outcomes.ts'

export interface UnknownStep {
  readonly msgKey: string
  /** From 1. */
  readonly step: number
  /** Undefined when nothing was recorded. */
  readonly recorded: RecordedAttempts | undefined
  /** Parts that the carrier accepted; undefined for the sandbox, which loses its memory with its process. */
  readonly atCarrier: number | undefined
  /** The carrier sends a receipt for each part that it accepts. */
  readonly hasReceipts: boolean
}

export interface RecordedAttempts {
  readonly routeId: string
  readonly parts: number
  /** Left by a process that had claimed the step; otherwise the connector had handed it to the socket and got no answer. */
  readonly interrupted: boolean
  /** On the clock of this run. */
  readonly at: number
}

/** A route claims at most two windows of parts ahead of the answers of its carrier. */
export const maxClaimed = 2 * carrierWindow

export async function findUnknownSteps(
  reports: ReadonlyMap<string, readonly Report[]>,
  kindOf: (ref: string) => Kind | undefined,
  submissions: readonly RecordedSubmission[],
  databaseUrl: string,
): Promise<UnknownStep[]> {
  const found = [...reports].flatMap(([msgKey, ofMessage]) =>
    ofMessage.flatMap((report, index) =>
      report.reportCode === outcomeUnknown ? [{ msgKey, step: index + 1, report }] : [],
    ),
  )
  if (found.length === 0) return []
  const rows = await query<{ id: string; routeId: string; parts: number; interrupted: boolean; ms: number }>(
    databaseUrl,
    // A worker that was frozen for longer than the deadline records the carrier's answer in place of the unknown outcome.
    `select msg_key || '/' || step as id, min(route_id) as "routeId", max(parts)::int as parts,
            bool_or(outcome_code = 'interrupted') as interrupted,
            (extract(epoch from coalesce(min(submitted_at) filter (where outcome = 'unknown'), min(submitted_at))) * 1000)::float8 as ms
       from attempts where msg_key = any ($1) group by 1`,
    [found.map(({ msgKey }) => msgKey)],
  )
  const recorded = new Map(
    rows.map(({ id, ms, ...row }) => [id, { ...row, at: ms - performance.timeOrigin }]),
  )
  const partsOf = Map.groupBy(submissions, ({ text }) => refIn(text ?? ''))
  return found.map(({ msgKey, step, report }) => {
    const ofCarrier = ['SMS', 'INTERNATIONAL'].includes(report.serviceType)
    const parts = new Set((partsOf.get(report.ref) ?? []).map(({ part }) => part?.sequence ?? 1))
    const expected = kindOf(report.ref)?.reports.find(({ route }) => route === 'carrier')?.code
    return {
      ...{ msgKey, step, recorded: recorded.get(`${msgKey}/${step}`) },
      atCarrier: ofCarrier ? parts.size : undefined,
      hasReceipts: ofCarrier && expected !== receiptNeverCame,
    }
  })
}

const receiptNeverCame = '22000'

/** The fault during which the step was recorded as unknown: the last one that can leave such steps. */
export function faultOf(step: UnknownStep, faultRuns: readonly FaultRun[]): FaultRun | undefined {
  const at = step.recorded?.at
  if (at === undefined) return undefined
  return faultRuns.findLast(
    ({ fault, injectedAt, overAt }) =>
      fault.leavesUnknown === true && at >= injectedAt && at <= overAt + allowedMs,
  )
}

/** Claimed, and not or not completely at the carrier. */
export function isIncomplete({ atCarrier, recorded }: UnknownStep): boolean {
  return (atCarrier ?? 0) < (recorded?.parts ?? 1)
}

export function judgeUnknownSteps(steps: readonly UnknownStep[], faultRuns: readonly FaultRun[]): string[] {
  const findings: string[] = []
  const find = (wrong: readonly UnknownStep[], what: string): void => {
    if (wrong.length === 0) return
    const examples = firstFew(wrong.map(({ msgKey, step }) => `${msgKey} step ${step}`))
    findings.push(`${wrong.length} steps ended as unknown ${what}: ${examples}`)
  }
  const [explained, unexplained] = [true, false].map((wanted) =>
    steps.filter((step) => (faultOf(step, faultRuns) !== undefined) === wanted),
  ) as [UnknownStep[], UnknownStep[]]
  find(unexplained, 'although no worker or link was lost after they were claimed')
  find(
    explained.filter((step) => step.hasReceipts && !isIncomplete(step)),
    'although the carrier accepted all parts and sent their receipts',
  )
  for (const [faultRun, ofFault] of Map.groupBy(explained, (step) => faultOf(step, faultRuns)!)) {
    for (const [routeId, ofRoute] of Map.groupBy(ofFault, ({ recorded }) => recorded!.routeId)) {
      const parts = ofRoute.filter(isIncomplete).reduce((sum, { recorded }) => sum + recorded!.parts, 0)
      if (parts > maxClaimed)
        findings.push(
          `${faultRun.fault.name}: ${parts} parts on the route ${routeId} were claimed and did not reach the carrier; at most ${maxClaimed} may be claimed ahead`,
        )
    }
  }
  return findings
}
