/**
 * What must hold at the end of the run: nothing accepted is lost or closed twice, every message ended as its kind must,
 * nothing reached the carrier twice without a valid reason, and the ledger balances. Returns findings as sentences.
 */
import type { Report } from '../support/processes/account-client.ts'
import type { Evidence } from './evidence.ts'
import { judgeFaultRuns, mayBeUnknown } from './judge-fault-runs.ts'
import { refIn } from './message-mix.ts'
import { judgeReports, outcomeUnknown } from './outcomes.ts'
import { firstFew } from './format.ts'

const delivered = '10000'

export interface Verdict {
  readonly findings: readonly string[]
  readonly accepted: number
  readonly lost: number
  readonly closedTwice: number
  /** Accepted although the client got no A000. */
  readonly acceptedUnanswered: number
  readonly delivered: number
  /** Messages with a step that ended in doubt. */
  readonly doubtful: number
  /** Steps whose outcome stayed unknown, and those of them that the carrier had accepted. */
  readonly unknown: number
  readonly unknownTaken: number
  readonly longestStallMs: number
}

export function judge(evidence: Evidence): Verdict {
  const { load, poller, ledger } = evidence
  const findings: string[] = []
  const accepted = [...load.sends.values()].flatMap(({ reply }) =>
    reply?.kind === 'accepted' ? [reply.msgKey] : [],
  )
  const known = new Set(accepted)
  if (known.size < accepted.length) findings.push(`${accepted.length - known.size} msgKeys were given twice`)
  const lost = accepted.filter((msgKey) => !poller.reports.has(msgKey))
  if (lost.length > 0) findings.push(`${lost.length} accepted messages have no report: ${firstFew(lost)}`)
  if (poller.reportedTwice.length > 0)
    findings.push(`reported in two batches: ${firstFew(poller.reportedTwice)}`)

  const messages = [...poller.reports.entries()]
  const extra = messages.filter(([msgKey]) => !known.has(msgKey)).map(([, reports]) => reports[0]!.ref)
  if (new Set(extra).size < extra.length) findings.push(`uncertain sends accepted twice: ${firstFew(extra)}`)
  const impossible = extra.filter((ref) => {
    const kind = load.sends.get(ref)?.reply?.kind
    return kind !== 'refused' && kind !== 'unanswered'
  })
  if (impossible.length > 0) findings.push(`reports for what was never accepted: ${firstFew(impossible)}`)

  const endings = messages.flatMap(([msgKey, reports]) => {
    const kind = load.sends.get(reports[0]!.ref)?.kind
    return kind === undefined ? [] : [{ msgKey, kind, ending: judgeReports(kind, reports) }]
  })
  const wrong = endings.flatMap(({ msgKey, kind, ending }) =>
    ending.kind === 'wrong'
      ? [`${msgKey} (${kind.name}) ended ${ending.found} instead of ${ending.expected}`]
      : [],
  )
  if (wrong.length > 0) findings.push(`${wrong.length} did not end as they must: ${firstFew(wrong)}`)

  const all = messages.flatMap(([, reports]) => reports)
  const ofCarrier = ({ serviceType }: Report): boolean => ['SMS', 'INTERNATIONAL'].includes(serviceType)
  const taken = new Set(evidence.submissions.map(({ text }) => refIn(text ?? '')))
  const isDelivered = ({ reportCode }: Report): boolean => reportCode === delivered
  const phantom = all.filter((one) => ofCarrier(one) && isDelivered(one) && !taken.has(one.ref))
  if (phantom.length > 0) {
    findings.push(
      `reported as delivered, but never accepted by the carrier: ${firstFew(phantom.map(({ msgKey }) => msgKey))}`,
    )
  }
  const unexplained = evidence.duplicates.filter(({ explanation }) => explanation === undefined)
  if (unexplained.length > 0) {
    const examples = firstFew(unexplained.map(({ what }) => what))
    findings.push(`${unexplained.length} parts reached the carrier twice without a reason: ${examples}`)
  }
  if (ledger.gap !== 0 || ledger.inFlight !== 0 || ledger.final !== poller.reports.size) {
    findings.push(`the ledger says ${JSON.stringify(ledger)}; ${poller.reports.size} were reported`)
  }
  findings.push(...judgeFaultRuns(evidence))
  const unknown = all.filter(({ reportCode }) => reportCode === outcomeUnknown)
  const unexplainedUnknown = unknown.filter(
    ({ ref }) => !mayBeUnknown(load.sends.get(ref), evidence.faultRuns),
  )
  if (unexplainedUnknown.length > 0) {
    const examples = firstFew(unexplainedUnknown.map(({ msgKey }) => msgKey))
    findings.push(
      `${unexplainedUnknown.length} steps have an unknown outcome although no worker or link was lost: ${examples}`,
    )
  }
  return {
    findings,
    accepted: accepted.length,
    lost: lost.length,
    closedTwice: poller.reportedTwice.length,
    acceptedUnanswered: extra.length,
    delivered: messages.filter(([, reports]) => reports.some(isDelivered)).length,
    doubtful: endings.filter(({ ending }) => ending.kind === 'doubtful').length,
    unknown: unknown.length,
    unknownTaken: unknown.filter((one) => ofCarrier(one) && taken.has(one.ref)).length,
    longestStallMs: poller.longestStall(evidence.began, evidence.ended),
  }
}
