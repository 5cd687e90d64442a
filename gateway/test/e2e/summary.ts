import { behaviours } from '../../../simulator/src/smsc/behaviours.ts'
import { printProgress } from '../support/measure/progress.ts'
import type { ReportCollector } from './report-collector.ts'
import type { SentMessages } from './check-reports.ts'
import type { PlannedMessage } from './plan.ts'

const shownFindings = 40

/** Prints a line per behaviour with messages, parts and report codes. */
export function printOutcomes(
  messages: readonly PlannedMessage[],
  sent: SentMessages,
  collector: ReportCollector,
): void {
  const codes = new Map<string, string>()
  for (const [msgKey, { ref }] of sent) codes.set(ref, collector.reports.get(msgKey)?.reportCode ?? 'none')
  process.stdout.write('\nending  messages  parts  reported              what the carrier does\n')
  for (const [ending, group] of Map.groupBy(messages, ({ expectation }) => expectation.ending)) {
    const byCode = Map.groupBy(group, ({ ref }) => codes.get(ref) ?? 'unsent')
    const reported = [...byCode].map(([code, some]) => `${code}: ${some.length}`).join('  ')
    const parts = group.reduce((sum, message) => sum + message.parts, 0)
    const summary =
      behaviours.find((behaviour) => behaviour.ending === ending)?.summary ?? 'An ordinary number.'
    process.stdout.write(
      `${ending.padEnd(8)}${String(group.length).padStart(8)}${String(parts).padStart(7)}  ${reported.padEnd(22)}${summary}\n`,
    )
  }
  process.stdout.write('\n')
  printProgress(
    `${sent.size} messages accepted, ${collector.reports.size} reports in ${collector.batches} batches`,
  )
}

export function printFindings(findings: readonly string[]): void {
  for (const finding of findings.slice(0, shownFindings)) process.stdout.write(`WRONG  ${finding}\n`)
  if (findings.length > shownFindings) process.stdout.write(`… and ${findings.length - shownFindings} more\n`)
  printProgress(findings.length === 0 ? 'e2e: ok' : `e2e: ${findings.length} findings`)
}
