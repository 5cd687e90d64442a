import type { Report } from '../../support/processes/account-client.ts'
import type { FaultRun } from './fault-runs.ts'
import type { ChaosSend } from './load.ts'
import type { MessageKind } from './message-mix.ts'

export const outcomeUnknown = '99999'
/** Codes of sandbox steps whose receipt was lost: the sandbox keeps receipts in memory. */
const sandboxTimeouts = ['32000', '63005']
/** Code of carrier steps that reach their deadline without a result. */
const carrierTimeout = '22000'

/** Maximum time from a send until the job or the receipt of its carrier step is lost. */
const aroundMs = 15_000

export type MessageCheck =
  | { readonly kind: 'expected' }
  /** A step ended in doubt because of a fault, and the following steps ran. */
  | { readonly kind: 'doubtful' }
  /** The carrier step ended at its deadline because its job or receipt was lost, and the following steps ran. */
  | { readonly kind: 'overdue' }
  | { readonly kind: 'wrong'; readonly found: string; readonly expected: string }

/**
 * Compares the reports of a message with the expected reports of its kind. `mayBeOverdue` is set if a fault can have
 * lost the job or the receipt of its carrier step.
 */
export function checkMessageReports(
  kind: MessageKind,
  reports: readonly Report[],
  mayBeOverdue = false,
): MessageCheck {
  const codes = reports.map((report) => report.reportCode)
  const overdue = kind.reports.map(
    ({ route, code }, index) =>
      mayBeOverdue && route === 'carrier' && codes[index] === carrierTimeout && code !== carrierTimeout,
  )
  const doubts = kind.reports.map(
    ({ route }, index) =>
      overdue[index] === true ||
      codes[index] === outcomeUnknown ||
      (route === 'sandbox' && sandboxTimeouts.includes(codes[index] ?? '')),
  )
  const fits = kind.reports.every(({ code }, index) => codes[index] === code || doubts[index])
  // A doubtful step that should have ended the message starts the next one instead.
  const lengthFits = codes.length === kind.reports.length || (codes.length > doubts.length && doubts.at(-1))
  if (!fits || lengthFits !== true) {
    return {
      kind: 'wrong',
      found: codes.join(' ') || 'nothing',
      expected: kind.reports.map(({ code }) => code).join(' '),
    }
  }
  if (overdue.includes(true)) return { kind: 'overdue' }
  return doubts.includes(true) ? { kind: 'doubtful' } : { kind: 'expected' }
}

/** Times of the requests of a message. */
export type SendTimes = Pick<ChaosSend, 'firstSentAt' | 'repliedAt'>

/** Returns the fault around the send that can have lost jobs of its steps, or receipts. */
export function findLoss(
  { firstSentAt, repliedAt }: SendTimes,
  lost: 'jobs' | 'receipts',
  faultRuns: readonly FaultRun[],
): FaultRun | undefined {
  return faultRuns.findLast(
    ({ fault, injectedAt, repairedAt }) =>
      fault.loses === lost && repliedAt >= injectedAt - aroundMs && firstSentAt <= repairedAt,
  )
}
