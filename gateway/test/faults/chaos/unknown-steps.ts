import type { RecordedSubmission } from '../../../../simulator/src/smsc.ts'
import type { Report } from '../../support/processes/account-client.ts'
import { query } from '../../support/processes/scratch-database.ts'
import { carrierWindow } from './chaos-installation.ts'
import type { FaultRun } from './fault-runs.ts'
import { firstFew } from './format.ts'
import { allowedMs } from './check-fault-runs.ts'
import type { ChaosSend } from './load.ts'
import { findRef } from './message-mix.ts'
import { findLoss, outcomeUnknown, type SendTimes } from './outcomes.ts'

/**
 * A step that ended as unknown (99999). It is explained if its process or link was lost after the step was
 * claimed. After a crash, nothing shows which claimed steps reached the socket; their number is limited
 * instead.
 */
export interface UnknownStep {
  readonly msgKey: string
  /** Number of the step, from 1. */
  readonly step: number
  /** `undefined` if the client has not sent it. */
  readonly sent: SendTimes | undefined
  /** `undefined` if nothing was recorded. */
  readonly recorded: RecordedAttempts | undefined
  /**
   * Number of parts accepted by the carrier; `undefined` for the sandbox, whose memory is lost with its
   * process.
   */
  readonly atCarrier: number | undefined
  /** Whether the carrier sends a receipt for each accepted part. */
  readonly hasReceipts: boolean
}

export interface RecordedAttempts {
  readonly routeId: string
  readonly parts: number
  /**
   * True if the process was lost after the claim; false if the connector sent the step and received no
   * response.
   */
  readonly interrupted: boolean
  /** Time on the clock of the run. */
  readonly at: number
}

/** A route claims at most two windows of parts ahead of the responses of its carrier. */
export const maxClaimed = 2 * carrierWindow

export async function findUnknownSteps(
  reports: ReadonlyMap<string, readonly Report[]>,
  sends: ReadonlyMap<string, ChaosSend>,
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
    // A worker frozen for longer than the deadline records the carrier's response instead of the unknown
    // outcome.
    `select msg_key || '/' || step as id, min(route_id) as "routeId", max(parts)::int as parts,
            bool_or(outcome_code = 'interrupted') as interrupted,
            (extract(epoch from coalesce(min(submitted_at) filter (where outcome = 'unknown'), min(submitted_at))) * 1000)::float8 as ms
       from attempts where msg_key = any ($1) group by 1`,
    [found.map(({ msgKey }) => msgKey)],
  )
  const recorded = new Map(
    rows.map(({ id, ms, ...row }) => [id, { ...row, at: ms - performance.timeOrigin }]),
  )
  const partsByRef = Map.groupBy(submissions, ({ text }) => findRef(text ?? ''))
  return found.map(({ msgKey, step, report }) => {
    const ofCarrier = ['SMS', 'INTERNATIONAL'].includes(report.serviceType)
    const parts = new Set((partsByRef.get(report.ref) ?? []).map(({ part }) => part?.sequence ?? 1))
    const send = sends.get(report.ref)
    const expected = send?.kind.reports.find(({ route }) => route === 'carrier')?.code
    return {
      msgKey,
      step,
      sent: send,
      recorded: recorded.get(`${msgKey}/${step}`),
      atCarrier: ofCarrier ? parts.size : undefined,
      hasReceipts: ofCarrier && expected !== noReceiptCode,
    }
  })
}

/** Report code of messages for which the carrier never sends a receipt. */
const noReceiptCode = '22000'

/**
 * Returns the fault that explains the step: the last one before its record that can leave unknown steps. Without a
 * record, the one that lost its job after it was claimed, so that no worker found the claim and recorded it.
 */
export function findFault(
  { recorded, sent }: UnknownStep,
  faultRuns: readonly FaultRun[],
): FaultRun | undefined {
  if (recorded === undefined) return sent && findLoss(sent, 'jobs', faultRuns)
  const { at } = recorded
  return faultRuns.findLast(
    ({ fault, injectedAt, overAt }) =>
      fault.leavesUnknown === true && at >= injectedAt && at <= overAt + allowedMs,
  )
}

/** Reports whether parts of the claimed step did not reach the carrier. Always true for the sandbox. */
export function isIncomplete({ atCarrier, recorded }: UnknownStep): boolean {
  return (atCarrier ?? 0) < (recorded?.parts ?? 1)
}

export function checkUnknownSteps(steps: readonly UnknownStep[], faultRuns: readonly FaultRun[]): string[] {
  const findings: string[] = []
  const find = (wrong: readonly UnknownStep[], condition: string): void => {
    if (wrong.length === 0) return
    const examples = firstFew(wrong.map(({ msgKey, step }) => `${msgKey} step ${step}`))
    findings.push(`${wrong.length} steps ended as unknown ${condition}: ${examples}`)
  }
  const [explained, unexplained] = [true, false].map((wanted) =>
    steps.filter((step) => (findFault(step, faultRuns) !== undefined) === wanted),
  ) as [UnknownStep[], UnknownStep[]]
  find(unexplained, 'although no worker or link was lost after they were claimed')
  find(
    explained.filter((step) => step.recorded !== undefined && step.hasReceipts && !isIncomplete(step)),
    'although the carrier accepted all parts and sent their receipts',
  )
  for (const [faultRun, ofFault] of Map.groupBy(explained, (step) => findFault(step, faultRuns)!)) {
    for (const [routeId, ofRoute] of Map.groupBy(ofFault, ({ recorded }) => recorded?.routeId ?? 'carrier')) {
      const parts = ofRoute
        .filter(isIncomplete)
        .reduce((sum, { recorded }) => sum + (recorded?.parts ?? 1), 0)
      if (parts > maxClaimed)
        findings.push(
          `${faultRun.fault.name}: ${parts} parts on the route ${routeId} were claimed and did not reach the carrier; at most ${maxClaimed} may be claimed ahead`,
        )
    }
  }
  return findings
}
