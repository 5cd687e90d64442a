/**
 * What must hold at the end of the run: nothing accepted is lost or closed twice, every message ended as its kind must,
 * nothing reached the carrier twice without a valid reason, and the ledger balances. Returns findings as sentences.
 */
import type { Report } from '../support/processes/account-client.ts'
import type { Evidence } from './evidence.ts'
import { judgeFaultRuns } from './judge-fault-runs.ts'
import { refIn } from './message-mix.ts'
import { judgeReports } from './outcomes.ts'
import { firstFew } from './format.ts'
import { isIncomplete, judgeUnknownSteps } from './unknown-steps.ts'

const delivered = '10000'

export interface Verdict {
  readonly findings: readonly string[]
  readonly accepted: number
  readonly lost: number
  readonly closedTwice: number
  /** Accepted although the client got no A000. */
  readonly acceptedUnanswered: number
  /** Messages that ended otherwise than they must. */
  readonly wrong: readonly string[]
  readonly delivered: number
  /** Messages with a step that ended in doubt. */
  readonly doubtful: number
  /** Steps whose outcome stayed unknown, and those of them whose parts the carrier has all accepted. */
  readonly unknown: number
  readonly unknownAtCarrier: number
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
      ? [{ msgKey, what: `${msgKey} (${kind.name}) ended ${ending.found} instead of ${ending.expected}` }]
      : [],
  )
  if (wrong.length > 0)
    findings.push(`${wrong.length} did not end as they must: ${firstFew(wrong.map(({ what }) => what))}`)

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
  findings.push(...judgeUnknownSteps(evidence.unknownSteps, evidence.faultRuns))
  return {
    findings,
    accepted: accepted.length,
    lost: lost.length,
    closedTwice: poller.reportedTwice.length,
    acceptedUnanswered: extra.length,
    wrong: wrong.map(({ msgKey }) => msgKey),
    delivered: messages.filter(([, reports]) => reports.some(isDelivered)).length,
    doubtful: endings.filter(({ ending }) => ending.kind === 'doubtful').length,
    unknown: evidence.unknownSteps.length,
    unknownAtCarrier: evidence.unknownSteps.filter((step) => !isIncomplete(step)).length,
    longestStallMs: poller.longestStall(evidence.began, evidence.ended),
  }
}
