import { describeMeasurement } from '../../support/measure/measurement.ts'
import type { FaultRun } from './fault-runs.ts'
import type { ChaosEvidence } from './evidence.ts'
import type { ChaosLoad } from './load.ts'
import { computeRecovery } from './check-fault-runs.ts'
import type { ChaosOptions } from './options.ts'
import type { ChaosResult } from './check-run.ts'
import { seconds } from './format.ts'
import { findFault } from './unknown-steps.ts'

export function computeCounts(
  { load, duplicates, ledger }: ChaosEvidence,
  result: ChaosResult,
): [string, number | string][] {
  return [
    ['messages the client had to send', load.offered],
    ['sends, with repeated ones', load.requests.length],
    ['… of which repeated with an Idempotency-Key', load.requests.length - load.sends.size],
    ['answered A000', result.accepted],
    [`refused${formatCodes(load)}`, load.count('refused')],
    ['no connection', load.count('unsent')],
    ['no answer (uncertain)', load.count('unanswered')],
    ['accepted without an A000', result.acceptedUnanswered],
    ['**lost**', result.lost],
    ['**closed twice**', result.closedTwice],
    ['**ledger gap**', ledger.gap],
    ['delivered', result.delivered],
    ['messages with a step that ended in doubt', result.doubtful],
    ['steps whose outcome stayed unknown (99999)', result.unknown],
    ['… of which the carrier had accepted all parts', result.unknownAtCarrier],
    ['steps not submitted: their job was lost', result.withoutJob],
    ['steps without result: their receipt was lost', result.withoutReceipt],
    ['parts that reached the carrier twice', duplicates.length],
    ['longest stall of a route', seconds(result.longestStallMs)],
  ]
}

function formatCodes(load: ChaosLoad): string {
  const codes = load.requests.flatMap(({ reply }) => (reply?.kind === 'refused' ? [reply.code] : []))
  return codes.length === 0 ? '' : ` (${[...new Set(codes)].sort().join(', ')})`
}

/** The page shows the faults with the longest recovery. */
const shownFaults = 6

/** Formats a table with the worst values of each fault, those with the longest recovery first. */
export function formatFaultTable(evidence: ChaosEvidence, shown = Infinity): string {
  const rows = [...Map.groupBy(evidence.faultRuns, ({ fault }) => fault.name)].map(([name, faultRuns]) => {
    const recoveries = faultRuns.map((faultRun) => computeRecovery(faultRun, evidence))
    const worst = (figure: 'recoveryMs' | 'stallMs'): string =>
      seconds(Math.max(...recoveries.map((recovery) => recovery[figure])))
    const failed = Math.max(...recoveries.map((recovery) => recovery.failed))
    const unknown = Math.max(...faultRuns.map((faultRun) => countUnknown(faultRun, evidence)))
    const counts = [failed, unknown].map(String)
    const recoveryMs = Math.max(...recoveries.map((recovery) => recovery.recoveryMs))
    return { recoveryMs, cells: [name, worst('recoveryMs'), worst('stallMs'), ...counts] }
  })
  const head = ['Fault', 'Recovery', 'Longest stall', 'Sends not answered A000', 'Unknown steps']
  const slowest = rows.sort((a, b) => b.recoveryMs - a.recoveryMs).slice(0, shown)
  return [head, head.map(() => '---'), ...slowest.map(({ cells }) => cells)]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function countUnknown(faultRun: FaultRun, { unknownSteps, faultRuns }: ChaosEvidence): number {
  return unknownSteps.filter((step) => findFault(step, faultRuns) === faultRun).length
}

export function formatFaultRun(faultRun: FaultRun, evidence: ChaosEvidence): string {
  const { recoveryMs, stallMs, failed } = computeRecovery(faultRun, evidence)
  const back = seconds(faultRun.overAt - faultRun.injectedAt)
  return `${faultRun.fault.name}: flowing after ${seconds(recoveryMs)}, longest stall ${seconds(stallMs)}, ${failed} sends failed, all back after ${back}`
}

/** The counts that the page shows; the terminal shows all. */
const onPage = /^(\*\*|steps|parts)/

/** Formats the section of docs/evidence/chaos.md. */
export function chaosSection(evidence: ChaosEvidence, result: ChaosResult, options: ChaosOptions): string {
  const { messagesPerSecond, seed, minutes, every } = options
  const counts = computeCounts(evidence, result)
    .filter(([label]) => onPage.test(label))
    .map(([label, count]) => `- ${label}: ${count}`)
  return `\`npm run suite -- chaos --seed ${seed} --write\`: one fault every ${every} s for ${minutes} minutes at ${messagesPerSecond} messages per second.
${describeMeasurement()}

${formatFaultTable(evidence, shownFaults)}

${counts.join('\n')}

${result.findings.length === 0 ? 'No findings.' : `Findings:\n\n${result.findings.map((finding) => `- ${finding}`).join('\n')}`}
${formatDuplicates(evidence)}`
}

export function formatDuplicates({ duplicates }: ChaosEvidence): string {
  return duplicates
    .map(
      ({ description, explanation }) =>
        `\n- twice at the carrier: ${description}: ${explanation ?? 'NOT EXPLAINED'}`,
    )
    .join('')
}
