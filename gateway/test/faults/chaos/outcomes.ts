import type { Report } from '../../support/processes/account-client.ts'
import type { MessageKind } from './message-mix.ts'

export const outcomeUnknown = '99999'
/** Codes of sandbox steps whose receipt was lost: the sandbox keeps receipts in memory. */
const sandboxTimeouts = ['32000', '63005']

export type MessageCheck =
  | { readonly kind: 'expected' }
  /** A step ended in doubt because of a fault, and the following steps ran. */
  | { readonly kind: 'doubtful' }
  | { readonly kind: 'wrong'; readonly found: string; readonly expected: string }

/** Compares the reports of a message with the expected reports of its kind. */
export function checkMessageReports(kind: MessageKind, reports: readonly Report[]): MessageCheck {
  const codes = reports.map((report) => report.reportCode)
  const doubts = kind.reports.map(
    ({ route }, index) =>
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
  return doubts.includes(true) ? { kind: 'doubtful' } : { kind: 'expected' }
}
