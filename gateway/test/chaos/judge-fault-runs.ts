/** Whether the gateway stood each fault: it worked again in time, and accepted what it could. */
import type { Ordeal } from './fault-runs.ts'
import type { Load, Send } from './load.ts'
import type { Witness } from './report-poller.ts'
import { seconds, some } from './format.ts'

/** From a single fault, whatever it was, until messages flow on every route. */
export const allowedMs = 15_000
/** From the mending until the last process is ready: messages flow already, only nothing is to spare. */
const spareAllowedMs = 45_000

/** Of all the evidence, what tells of faults. */
export interface Seen {
  readonly load: Pick<Load, 'sends'>
  readonly witness: Pick<Witness, 'longestStall'>
  readonly ordeals: readonly Ordeal[]
}

export interface Recovery {
  readonly recoveryMs: number
  /** The longest time without a report on one of the routes, while the fault lasted. */
  readonly stallMs: number
  /** Sends that were not answered with A000. */
  readonly failed: number
}

export function recoveryOf(ordeal: Ordeal, { load, witness }: Pick<Seen, 'load' | 'witness'>): Recovery {
  const { struckAt, countsFrom, flowingAt, overAt } = ordeal
  return {
    recoveryMs: flowingAt - countsFrom,
    stallMs: Number.isFinite(overAt) ? witness.longestStall(struckAt, overAt) : Infinity,
    failed: failedBetween(load, struckAt, overAt).length,
  }
}

export function judgeOrdeals(evidence: Seen): string[] {
  return [
    ...evidence.ordeals.flatMap((ordeal) => judgeOrdeal(ordeal, evidence)),
    ...judgeQuietTimes(evidence.ordeals, evidence.load),
  ]
}

function judgeOrdeal(ordeal: Ordeal, evidence: Seen): string[] {
  const { fault, struckAt, mendedAt, overAt } = ordeal
  const { recoveryMs, stallMs } = recoveryOf(ordeal, evidence)
  const findings: string[] = []
  if (recoveryMs > allowedMs) findings.push(`${fault.name}: messages flowed after ${seconds(recoveryMs)}`)
  if (stallMs > allowedMs && ordeal.countsFrom === struckAt)
    findings.push(`${fault.name}: a stall of ${seconds(stallMs)}`)
  if (overAt - mendedAt > spareAllowedMs)
    findings.push(`${fault.name}: not all ready for ${seconds(overAt - mendedAt)}`)
  // What was under way when the next fault struck says nothing of this one.
  const others = hurting(evidence.ordeals).filter((other) => other !== ordeal)
  const failed = failedBetween(evidence.load, struckAt, fault.refuses ? mendedAt : overAt).filter(
    (send) => !others.some((other) => overlaps(send, other)),
  )
  if (fault.acceptsThroughout && failed.length > 0) {
    findings.push(`${fault.name}: sends were not accepted meanwhile: ${some(failed.map(describe))}`)
  }
  if (fault.refuses) {
    const wrongly = failed.filter(({ reply }) => reply?.kind !== 'refused' || reply.httpStatus !== 503)
    if (failed.length === 0) findings.push(`${fault.name}: no send was refused`)
    if (wrongly.length > 0)
      findings.push(`${fault.name}: not refused with 503: ${some(wrongly.map(describe))}`)
  }
  return findings
}

/** Away from the faults that hurt accepting, every send is accepted. */
function judgeQuietTimes(ordeals: readonly Ordeal[], load: Seen['load']): string[] {
  const hurt = hurting(ordeals)
  const failed = [...load.sends.values()].filter(
    (send) => send.reply?.kind !== 'accepted' && !hurt.some((ordeal) => overlaps(send, ordeal)),
  )
  return failed.length === 0
    ? []
    : [`${failed.length} sends failed while nothing was wrong with accepting: ${some(failed.map(describe))}`]
}

function hurting(ordeals: readonly Ordeal[]): Ordeal[] {
  return ordeals.filter(({ fault }) => !fault.acceptsThroughout)
}

function overlaps({ sentAt, repliedAt }: Send, { struckAt, overAt }: Ordeal): boolean {
  return repliedAt >= struckAt && sentAt <= overAt
}

function failedBetween(load: Seen['load'], from: number, to: number): Send[] {
  return [...load.sends.values()].filter(
    ({ sentAt, reply }) => sentAt >= from && sentAt <= to && reply !== undefined && reply.kind !== 'accepted',
  )
}

function describe({ ref, reply }: Send): string {
  return `${ref} ${JSON.stringify(reply)}`
}
