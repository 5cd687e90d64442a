/** Whether the gateway stood each fault: it worked again in time, and accepted what it could. */
import type { Ordeal } from './campaign.ts'
import type { Evidence } from './evidence.ts'
import type { Load, Send } from './load.ts'
import { seconds, some } from './words.ts'

/** From a single fault, whatever it was, until messages flow on every route. */
export const allowedMs = 15_000
/** From the mending until the last process is ready: messages flow already, only nothing is to spare. */
const spareAllowedMs = 45_000

export interface Recovery {
  readonly recoveryMs: number
  /** The longest time without a report on one of the routes, while the fault lasted. */
  readonly stallMs: number
  /** Sends that were not answered with A000. */
  readonly failed: number
}

export function recoveryOf(ordeal: Ordeal, { load, witness }: Evidence): Recovery {
  const { struckAt, countsFrom, flowingAt, overAt } = ordeal
  return {
    recoveryMs: flowingAt - countsFrom,
    stallMs: Number.isFinite(overAt) ? witness.longestStall(struckAt, overAt) : Infinity,
    failed: failedBetween(load, struckAt, overAt).length,
  }
}

export function judgeOrdeals(evidence: Evidence): string[] {
  return [
    ...evidence.ordeals.flatMap((ordeal) => judgeOrdeal(ordeal, evidence)),
    ...judgeQuietTimes(evidence.ordeals, evidence.load),
  ]
}

function judgeOrdeal(ordeal: Ordeal, evidence: Evidence): string[] {
  const { fault, struckAt, mendedAt, overAt } = ordeal
  const { recoveryMs, stallMs } = recoveryOf(ordeal, evidence)
  const findings: string[] = []
  if (recoveryMs > allowedMs) findings.push(`${fault.name}: messages flowed after ${seconds(recoveryMs)}`)
  if (stallMs > allowedMs && ordeal.countsFrom === struckAt)
    findings.push(`${fault.name}: a stall of ${seconds(stallMs)}`)
  if (overAt - mendedAt > spareAllowedMs)
    findings.push(`${fault.name}: not all ready for ${seconds(overAt - mendedAt)}`)
  const failed = failedBetween(evidence.load, struckAt, fault.refuses ? mendedAt : overAt)
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
function judgeQuietTimes(ordeals: readonly Ordeal[], load: Load): string[] {
  const hurt = ordeals.filter(({ fault }) => !fault.acceptsThroughout)
  const failed = [...load.sends.values()].filter(
    (send) =>
      send.reply?.kind !== 'accepted' &&
      !hurt.some(({ struckAt, overAt }) => send.repliedAt >= struckAt && send.sentAt <= overAt),
  )
  return failed.length === 0
    ? []
    : [`${failed.length} sends failed while nothing was wrong with accepting: ${some(failed.map(describe))}`]
}

function failedBetween(load: Load, from: number, to: number): Send[] {
  return [...load.sends.values()].filter(
    ({ sentAt, reply }) => sentAt >= from && sentAt <= to && reply !== undefined && reply.kind !== 'accepted',
  )
}

function describe({ ref, reply }: Send): string {
  return `${ref} ${JSON.stringify(reply)}`
}
