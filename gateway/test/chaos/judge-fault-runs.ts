/** Judges each fault run: the gateway recovered in time and accepted all that it could. */
import type { FaultRun } from './fault-runs.ts'
import type { Load, Send } from './load.ts'
import type { ReportPoller } from './report-poller.ts'
import { seconds, firstFew } from './format.ts'

/** Limit from any single fault until messages flow on every route. */
export const allowedMs = 15_000
/** Limit from the repair until the last process is ready: messages flow already, but without redundancy. */
const spareAllowedMs = 45_000

/** The part of the evidence that concerns faults. */
export interface FaultEvidence {
  readonly load: Pick<Load, 'sends'>
  readonly poller: Pick<ReportPoller, 'longestStall'>
  readonly faultRuns: readonly FaultRun[]
}

export interface Recovery {
  readonly recoveryMs: number
  /** The longest time without a report on one of the routes, while the fault lasted. */
  readonly stallMs: number
  /** Sends that were not answered with A000. */
  readonly failed: number
}

export function recoveryOf(
  faultRun: FaultRun,
  { load, poller }: Pick<FaultEvidence, 'load' | 'poller'>,
): Recovery {
  const { injectedAt, countsFrom, flowingAt, overAt } = faultRun
  return {
    recoveryMs: flowingAt - countsFrom,
    stallMs: Number.isFinite(overAt) ? poller.longestStall(injectedAt, overAt) : Infinity,
    failed: failedBetween(load, injectedAt, overAt).length,
  }
}

export function judgeFaultRuns(evidence: FaultEvidence): string[] {
  return [
    ...evidence.faultRuns.flatMap((faultRun) => judgeFaultRun(faultRun, evidence)),
    ...judgeQuietTimes(evidence.faultRuns, evidence.load),
  ]
}

function judgeFaultRun(faultRun: FaultRun, evidence: FaultEvidence): string[] {
  const { fault, injectedAt, repairedAt, overAt } = faultRun
  const { recoveryMs, stallMs } = recoveryOf(faultRun, evidence)
  const findings: string[] = []
  if (recoveryMs > allowedMs) findings.push(`${fault.name}: messages flowed after ${seconds(recoveryMs)}`)
  if (stallMs > allowedMs && !fault.refuses && !fault.noReplacement)
    findings.push(`${fault.name}: a stall of ${seconds(stallMs)}`)
  if (overAt - repairedAt > spareAllowedMs)
    findings.push(`${fault.name}: not all ready for ${seconds(overAt - repairedAt)}`)
  // A send that overlaps another fault proves nothing about this one.
  const others = disturbingAccept(evidence.faultRuns).filter((other) => other !== faultRun)
  const failed = failedBetween(evidence.load, injectedAt, fault.refuses ? repairedAt : overAt).filter(
    (send) => !others.some((other) => overlaps(send, other)),
  )
  const notAccepted = failed.filter((send) => !isSlowed(send))
  if (fault.acceptsThroughout && notAccepted.length > 0) {
    findings.push(
      `${fault.name}: sends were not accepted during the fault: ${firstFew(notAccepted.map(describe))}`,
    )
  }
  if (fault.refuses) {
    const wrongly = notAccepted.filter(({ reply }) => reply?.kind !== 'refused' || reply.httpStatus !== 503)
    if (failed.length === 0) findings.push(`${fault.name}: no send was refused`)
    if (wrongly.length > 0)
      findings.push(
        `${fault.name}: refused neither with 503 nor with 429: ${firstFew(wrongly.map(describe))}`,
      )
  }
  return findings
}

/**
 * 429 asks the client to come back: no more is accepted than the workers that are left record, also while they work off
 * what has waited.
 */
function isSlowed({ reply }: Send): boolean {
  return reply?.kind === 'refused' && reply.httpStatus === 429
}

/** Outside of the faults that affect accepting, every send is accepted, and none is slowed long after a fault. */
function judgeQuietTimes(faultRuns: readonly FaultRun[], load: FaultEvidence['load']): string[] {
  const disturbing = disturbingAccept(faultRuns)
  const failed = [...load.sends.values()].filter(
    (send) =>
      send.reply?.kind !== 'accepted' &&
      !disturbing.some((faultRun) => overlaps(send, faultRun)) &&
      !(isSlowed(send) && faultRuns.some((faultRun) => overlaps(send, faultRun, allowedMs))),
  )
  return failed.length === 0
    ? []
    : [
        `${failed.length} sends failed outside of faults that affect accepting: ${firstFew(failed.map(describe))}`,
      ]
}

function disturbingAccept(faultRuns: readonly FaultRun[]): FaultRun[] {
  return faultRuns.filter(({ fault }) => !fault.acceptsThroughout)
}

function overlaps({ sentAt, repliedAt }: Send, { injectedAt, overAt }: FaultRun, afterMs = 0): boolean {
  return repliedAt >= injectedAt && sentAt <= overAt + afterMs
}

function failedBetween(load: FaultEvidence['load'], from: number, to: number): Send[] {
  return [...load.sends.values()].filter(
    ({ sentAt, reply }) => sentAt >= from && sentAt <= to && reply !== undefined && reply.kind !== 'accepted',
  )
}

function describe({ ref, reply }: Send): string {
  return `${ref} ${JSON.stringify(reply)}`
}
