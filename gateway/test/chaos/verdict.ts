/**
 * What must hold at the end, whatever was done: nothing accepted is lost, nothing is reported twice, nothing
 * reaches the carrier twice, the books balance, and the gateway worked again in time. Findings in words.
 */
import type { RecordedSubmission, Duplicate } from '../../../simulator/src/smsc.ts'
import type { LedgerTotal } from '../harness/command.ts'
import { allowedMs, type Ordeal } from './campaign.ts'
import type { Load, Send } from './load.ts'
import type { Witness } from './witness.ts'

const delivered = '10000'
const outcomeUnknown = '99999'

export interface Evidence {
  readonly load: Load
  readonly witness: Witness
  readonly ordeals: readonly Ordeal[]
  readonly submissions: readonly RecordedSubmission[]
  readonly duplicates: readonly Duplicate[]
  readonly ledger: LedgerTotal
}

export interface Verdict {
  readonly findings: readonly string[]
  readonly accepted: number
  /** Without an A000, and accepted all the same. */
  readonly acceptedUnanswered: number
  readonly delivered: number
  readonly unknown: number
  /** Of the unknown ones, those that the carrier had taken. */
  readonly unknownTaken: number
}

export function judge(evidence: Evidence): Verdict {
  const { load, witness, ledger } = evidence
  const findings: string[] = []
  const accepted = [...load.sends.values()].flatMap(({ reply }) =>
    reply?.kind === 'accepted' ? [reply.msgKey] : [],
  )
  const known = new Set(accepted)
  if (known.size < accepted.length) findings.push(`${accepted.length - known.size} msgKeys were given twice`)
  const lost = accepted.filter((msgKey) => !witness.sightings.has(msgKey))
  if (lost.length > 0) findings.push(`${lost.length} accepted messages have no report: ${some(lost)}`)
  if (witness.doubled.length > 0) findings.push(`reported in two batches: ${some(witness.doubled)}`)

  const extra = [...witness.sightings.values()].filter(({ report }) => !known.has(report.msgKey))
  const refs = extra.map(({ report }) => report.ref)
  if (new Set(refs).size < refs.length) findings.push(`unanswered sends accepted twice: ${some(refs)}`)
  const impossible = refs.filter((ref) => {
    const kind = load.sends.get(ref)?.reply?.kind
    return kind !== 'refused' && kind !== 'unanswered'
  })
  if (impossible.length > 0) findings.push(`reports for what was never accepted: ${some(impossible)}`)

  const reports = [...witness.sightings.values()].map(({ report }) => report)
  const codes = Map.groupBy(reports, (report) => report.reportCode)
  for (const [code, group] of codes) {
    if (code === delivered || code === outcomeUnknown) continue
    findings.push(`${group.length} ended with ${code}: ${some(group.map(({ msgKey }) => msgKey))}`)
  }
  const taken = new Set(evidence.submissions.map(({ text }) => text))
  const phantom = (codes.get(delivered) ?? []).filter(({ ref }) => !taken.has(ref))
  if (phantom.length > 0) {
    findings.push(
      `reported delivered, never taken by the carrier: ${some(phantom.map(({ msgKey }) => msgKey))}`,
    )
  }
  if (evidence.duplicates.length > 0) {
    const examples = evidence.duplicates.map(({ text, count }) => `${text ?? '?'} ×${count}`)
    findings.push(`${evidence.duplicates.length} messages reached the carrier twice: ${some(examples)}`)
  }
  if (ledger.gap !== 0 || ledger.inFlight !== 0 || ledger.final !== witness.sightings.size) {
    findings.push(`the ledger says ${JSON.stringify(ledger)}; ${witness.sightings.size} were reported`)
  }
  findings.push(...evidence.ordeals.flatMap((ordeal) => judgeOrdeal(ordeal, load)))
  findings.push(...judgeQuietTimes(evidence.ordeals, load))
  const unknown = codes.get(outcomeUnknown) ?? []
  return {
    findings,
    accepted: accepted.length,
    acceptedUnanswered: extra.length,
    delivered: codes.get(delivered)?.length ?? 0,
    unknown: unknown.length,
    unknownTaken: unknown.filter(({ ref }) => taken.has(ref)).length,
  }
}

function judgeOrdeal(ordeal: Ordeal, load: Load): string[] {
  const { fault, overAt, flowingAt, readyMs } = ordeal
  const findings: string[] = []
  if (flowingAt - overAt > allowedMs) {
    findings.push(`${fault.name}: messages flowed again after ${seconds(flowingAt - overAt)}`)
  }
  if (readyMs > allowedMs) findings.push(`${fault.name}: not all ready for ${seconds(readyMs)}`)
  if (!fault.acceptsThroughout) return findings
  const refused = failedBetween(load, ordeal.struckAt, flowingAt)
  if (refused.length > 0) findings.push(`${fault.name}: sends were not accepted meanwhile: ${some(refused)}`)
  return findings
}

/** Away from the faults that hurt accepting, every send is accepted. */
function judgeQuietTimes(ordeals: readonly Ordeal[], load: Load): string[] {
  const hurt = ordeals.filter(({ fault }) => !fault.acceptsThroughout)
  const failed = [...load.sends.values()].filter(
    (send) =>
      send.reply?.kind !== 'accepted' &&
      !hurt.some(({ struckAt, flowingAt }) => send.repliedAt >= struckAt && send.sentAt <= flowingAt),
  )
  return failed.length === 0
    ? []
    : [`${failed.length} sends failed while nothing was wrong with accepting: ${some(failed.map(describe))}`]
}

function failedBetween(load: Load, from: number, to: number): string[] {
  return [...load.sends.values()]
    .filter(({ sentAt, reply }) => sentAt >= from && sentAt <= to && reply?.kind !== 'accepted')
    .map(describe)
}

function describe({ ref, reply }: Send): string {
  return `${ref} ${JSON.stringify(reply)}`
}

function some(items: readonly string[]): string {
  const shown = items.slice(0, 5).join(', ')
  return items.length > 5 ? `${shown} … (${items.length})` : shown
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
