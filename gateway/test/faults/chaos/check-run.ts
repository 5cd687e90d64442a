import type { Report } from '../../support/processes/account-client.ts'
import type { ChaosEvidence } from './evidence.ts'
import { checkFaultRuns } from './check-fault-runs.ts'
import { findRef } from './message-mix.ts'
import { checkMessageReports, findLoss } from './outcomes.ts'
import { firstFew } from './format.ts'
import { isIncomplete, checkUnknownSteps } from './unknown-steps.ts'

const delivered = '10000'

export interface ChaosResult {
  readonly findings: readonly string[]
  readonly accepted: number
  readonly lost: number
  readonly closedTwice: number
  /** Messages accepted without an A000 to the client. */
  readonly acceptedUnanswered: number
  /** Messages with a wrong result. */
  readonly wrong: readonly string[]
  readonly delivered: number
  /** Number of messages with a doubtful step. */
  readonly doubtful: number
  /** Number of steps that ended at their deadline because a fault lost their job. */
  readonly withoutJob: number
  /** Number of steps that ended at their deadline because a fault lost their receipt. */
  readonly withoutReceipt: number
  /** Number of steps with unknown outcome. */
  readonly unknown: number
  readonly unknownAtCarrier: number
  readonly longestStallMs: number
}

/**
 * Checks the result of a run: no accepted message is lost or closed twice, every message has the expected
 * result, no part reached the carrier twice without a valid reason, and the ledger balances.
 */
export function checkChaosRun(evidence: ChaosEvidence): ChaosResult {
  const { load, poller, ledger } = evidence
  const findings: string[] = []
  const accepted = [...load.sends.values()].flatMap(({ reply }) =>
    reply?.kind === 'accepted' ? [reply.msgKey] : [],
  )
  const acceptedKeys = new Set(accepted)
  if (acceptedKeys.size < accepted.length)
    findings.push(`${accepted.length - acceptedKeys.size} msgKeys were issued twice`)
  const lost = accepted.filter((msgKey) => !poller.reports.has(msgKey))
  if (lost.length > 0) findings.push(`${lost.length} accepted messages have no report: ${firstFew(lost)}`)
  if (poller.reportedTwice.length > 0)
    findings.push(`reported in two batches: ${firstFew(poller.reportedTwice)}`)

  const messages = [...poller.reports.entries()]
  const extra = messages.filter(([msgKey]) => !acceptedKeys.has(msgKey)).map(([, reports]) => reports[0]!.ref)
  if (new Set(extra).size < extra.length) findings.push(`uncertain sends accepted twice: ${firstFew(extra)}`)
  const replyKind = (ref: string): string | undefined => load.sends.get(ref)?.reply?.kind
  const repeated = extra.filter((ref) => replyKind(ref) === 'accepted')
  if (repeated.length > 0)
    findings.push(`repeats with an Idempotency-Key accepted as another message: ${firstFew(repeated)}`)
  const impossible = extra.filter((ref) => [undefined, 'unsent'].includes(replyKind(ref)))
  if (impossible.length > 0)
    findings.push(`reports of messages that were not accepted: ${firstFew(impossible)}`)

  const submittedRefs = new Set(evidence.submissions.map(({ text }) => findRef(text ?? '')))
  const endings = messages.flatMap(([msgKey, reports]) => {
    const { ref } = reports[0]!
    const send = load.sends.get(ref)
    if (send === undefined) return []
    const { kind } = send
    const isSubmitted = submittedRefs.has(ref)
    const loss = findLoss(send, isSubmitted ? 'receipts' : 'jobs', evidence.faultRuns)
    return [{ msgKey, kind, isSubmitted, ending: checkMessageReports(kind, reports, loss !== undefined) }]
  })
  const wrong = endings.flatMap(({ msgKey, kind, ending }) =>
    ending.kind === 'wrong'
      ? [
          {
            msgKey,
            description: `${msgKey} (${kind.name}) ended as ${ending.found}, expected ${ending.expected}`,
          },
        ]
      : [],
  )
  if (wrong.length > 0)
    findings.push(
      `${wrong.length} messages have a wrong result: ${firstFew(wrong.map(({ description }) => description))}`,
    )

  const allReports = messages.flatMap(([, reports]) => reports)
  const ofCarrier = ({ serviceType }: Report): boolean => ['SMS', 'INTERNATIONAL'].includes(serviceType)
  const isDelivered = ({ reportCode }: Report): boolean => reportCode === delivered
  const phantom = allReports.filter(
    (report) => ofCarrier(report) && isDelivered(report) && !submittedRefs.has(report.ref),
  )
  if (phantom.length > 0) {
    findings.push(
      `reported as delivered, but never accepted by the carrier: ${firstFew(phantom.map(({ msgKey }) => msgKey))}`,
    )
  }
  const unexplained = evidence.duplicates.filter(({ explanation }) => explanation === undefined)
  if (unexplained.length > 0) {
    const examples = firstFew(unexplained.map(({ description }) => description))
    findings.push(`${unexplained.length} parts reached the carrier twice without explanation: ${examples}`)
  }
  if (ledger.gap !== 0 || ledger.inFlight !== 0 || ledger.final !== poller.reports.size) {
    findings.push(`unexpected ledger ${JSON.stringify(ledger)}; ${poller.reports.size} were reported`)
  }
  const overdue = endings.filter(({ ending }) => ending.kind === 'overdue')
  findings.push(...checkFaultRuns(evidence))
  findings.push(...checkUnknownSteps(evidence.unknownSteps, evidence.faultRuns))
  return {
    findings,
    accepted: accepted.length,
    lost: lost.length,
    closedTwice: poller.reportedTwice.length,
    acceptedUnanswered: extra.length,
    wrong: wrong.map(({ msgKey }) => msgKey),
    delivered: messages.filter(([, reports]) => reports.some(isDelivered)).length,
    doubtful: endings.filter(({ ending }) => ending.kind === 'doubtful').length,
    withoutJob: overdue.filter(({ isSubmitted }) => !isSubmitted).length,
    withoutReceipt: overdue.filter(({ isSubmitted }) => isSubmitted).length,
    unknown: evidence.unknownSteps.length,
    unknownAtCarrier: evidence.unknownSteps.filter((step) => !isIncomplete(step)).length,
    longestStallMs: poller.longestStall(evidence.began, evidence.ended),
  }
}
