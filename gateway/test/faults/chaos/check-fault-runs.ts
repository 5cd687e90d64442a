import type { FaultRun } from './fault-runs.ts'
import type { ChaosLoad, ChaosSend } from './load.ts'
import type { ChaosReportPoller } from './report-poller.ts'
import { seconds, firstFew } from './format.ts'

/** Maximum time from a fault until messages flow on every route. */
export const allowedMs = 15_000
/** Limits of a fault that slows the gateway: it keeps working, and has nothing to detect or to take over afterwards. */
const slowed = { stallMs: 30_000, recoveryMs: 10_000 }
/**
 * Maximum time from the repair until the last process is ready. Messages already flow, but without
 * redundancy.
 */
const spareAllowedMs = 45_000
/** Maximum time for which a key stays claimed by a request whose process was killed or frozen. */
const claimedMs = 30_000

export interface FaultEvidence {
  readonly load: Pick<ChaosLoad, 'requests'>
  readonly poller: Pick<ChaosReportPoller, 'longestStall'>
  readonly faultRuns: readonly FaultRun[]
}

export interface Recovery {
  readonly recoveryMs: number
  /** Longest time without a report on one of the routes during the fault. */
  readonly stallMs: number
  /** Number of sends without A000. */
  readonly failed: number
}

export function computeRecovery(
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

/** Returns findings: faults without recovery in time and sends that should have been accepted. */
export function checkFaultRuns(evidence: FaultEvidence): string[] {
  return [
    ...evidence.faultRuns.flatMap((faultRun) => checkFaultRun(faultRun, evidence)),
    ...checkQuietTimes(evidence.faultRuns, evidence.load),
  ]
}

function checkFaultRun(faultRun: FaultRun, evidence: FaultEvidence): string[] {
  const { fault, injectedAt, repairedAt, overAt } = faultRun
  const { recoveryMs, stallMs } = computeRecovery(faultRun, evidence)
  const findings: string[] = []
  const allowed = fault.slows ? slowed : { stallMs: allowedMs, recoveryMs: allowedMs }
  if (recoveryMs > allowed.recoveryMs)
    findings.push(`${fault.name}: messages flowed after ${seconds(recoveryMs)}`)
  if (stallMs > allowed.stallMs && !fault.rejectsSends && !fault.noReplacement)
    findings.push(`${fault.name}: a stall of ${seconds(stallMs)}`)
  if (overAt - repairedAt > spareAllowedMs)
    findings.push(`${fault.name}: not all ready for ${seconds(overAt - repairedAt)}`)
  // A send that overlaps another fault is no evidence for this one.
  const others = disturbingAccept(evidence.faultRuns).filter((other) => other !== faultRun)
  const failed = failedBetween(evidence.load, injectedAt, fault.rejectsSends ? repairedAt : overAt).filter(
    (send) => !others.some((other) => overlaps(send, other)),
  )
  const notAccepted = failed.filter(
    (send) => !isThrottled(send) && !isInProgress(send) && !isWithoutRedis(send, evidence.faultRuns),
  )
  if (fault.acceptsThroughout && notAccepted.length > 0) {
    findings.push(
      `${fault.name}: sends were not accepted during the fault: ${firstFew(notAccepted.map(describe))}`,
    )
  }
  if (fault.rejectsSends) {
    const wrongly = notAccepted.filter(({ reply }) => reply?.kind !== 'refused' || reply.httpStatus !== 503)
    if (failed.length === 0) findings.push(`${fault.name}: no send was rejected`)
    if (wrongly.length > 0)
      findings.push(
        `${fault.name}: refused neither with 503 nor with 429: ${firstFew(wrongly.map(describe))}`,
      )
  }
  return findings
}

/**
 * Reports whether the send was throttled with 429: the API accepts only as much as the remaining workers
 * record while they process the backlog.
 */
function isThrottled({ reply }: ChaosSend): boolean {
  return reply?.kind === 'refused' && reply.httpStatus === 429
}

/** Reports whether a repeat was refused because the first request with its Idempotency-Key is still processed. */
function isInProgress({ reply, firstSentAt, sentAt }: ChaosSend): boolean {
  return reply?.kind === 'refused' && reply.code === 'A022' && sentAt - firstSentAt <= claimedMs
}

/** Reports whether a send was refused because a process was not connected to Redis, where its key is stored. */
function isWithoutRedis(send: ChaosSend, faultRuns: readonly FaultRun[]): boolean {
  const { isKeyed, reply } = send
  return (
    isKeyed &&
    reply?.kind === 'refused' &&
    reply.httpStatus === 503 &&
    faultRuns.some((faultRun) => faultRun.fault.loses === 'keys' && overlaps(send, faultRun, allowedMs))
  )
}

/**
 * Returns a finding for sends without A000 outside of faults that affect accepting. A throttled send counts only long
 * after a fault.
 */
function checkQuietTimes(faultRuns: readonly FaultRun[], load: FaultEvidence['load']): string[] {
  const disturbing = disturbingAccept(faultRuns)
  const failed = load.requests.filter(
    (send) =>
      send.reply?.kind !== 'accepted' &&
      !isInProgress(send) &&
      !isWithoutRedis(send, faultRuns) &&
      !disturbing.some((faultRun) => overlaps(send, faultRun)) &&
      !(isThrottled(send) && faultRuns.some((faultRun) => overlaps(send, faultRun, allowedMs))),
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

function overlaps({ sentAt, repliedAt }: ChaosSend, { injectedAt, overAt }: FaultRun, afterMs = 0): boolean {
  return repliedAt >= injectedAt && sentAt <= overAt + afterMs
}

function failedBetween(load: FaultEvidence['load'], from: number, to: number): ChaosSend[] {
  return load.requests.filter(
    ({ sentAt, reply }) => sentAt >= from && sentAt <= to && reply !== undefined && reply.kind !== 'accepted',
  )
}

function describe({ ref, reply }: ChaosSend): string {
  return `${ref} ${JSON.stringify(reply)}`
}
