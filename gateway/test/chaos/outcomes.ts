/** Compares the reports of a message with those that its kind must have. Pure. */
import type { Report } from '../support/processes/account-client.ts'
import type { Kind } from './message-mix.ts'

export const outcomeUnknown = '99999'
/** The sandbox keeps its receipts in memory: those of a killed process never arrive. */
const sandboxTimeouts = ['32000', '63005']

export type Ending =
  | { readonly kind: 'expected' }
  /** A step ended in doubt, which a fault explains; the steps after it ran. */
  | { readonly kind: 'doubtful' }
  | { readonly kind: 'wrong'; readonly found: string; readonly expected: string }

export function judgeReports(kind: Kind, reports: readonly Report[]): Ending {
  const codes = reports.map((report) => report.reportCode)
  const doubts = kind.reports.map(
    ({ route }, index) =>
      codes[index] === outcomeUnknown ||
      (route === 'sandbox' && sandboxTimeouts.includes(codes[index] ?? '')),
  )
  const fits = kind.reports.every(({ code }, index) => codes[index] === code || doubts[index])
  // A doubtful step that would have ended the message starts the next one instead.
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
