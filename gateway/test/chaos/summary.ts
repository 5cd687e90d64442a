/** The result as text: lines for the terminal and the page docs/chaos.md. */
import { cpus, loadavg, totalmem } from 'node:os'
import type { FaultRun } from './fault-runs.ts'
import type { Evidence } from './evidence.ts'
import type { Load } from './load.ts'
import { allowedMs, recoveryOf } from './judge-fault-runs.ts'
import type { ChaosOptions } from './options.ts'
import type { Verdict } from './verdict.ts'
import { seconds } from './format.ts'
import { faultOf, maxClaimed } from './unknown-steps.ts'

export function countsOf(
  { load, duplicates, ledger }: Evidence,
  verdict: Verdict,
): [string, number | string][] {
  return [
    ['messages the client had to send', load.offered],
    ['sends, with those repeated after a refusal', load.sends.size],
    ['answered A000', verdict.accepted],
    [`refused${codesOf(load)}`, load.count('refused')],
    ['no connection', load.count('unsent')],
    ['no answer (uncertain)', load.count('unanswered')],
    ['accepted without an A000', verdict.acceptedUnanswered],
    ['**lost**', verdict.lost],
    ['**closed twice**', verdict.closedTwice],
    ['**ledger gap**', ledger.gap],
    ['delivered', verdict.delivered],
    ['messages with a step that ended in doubt', verdict.doubtful],
    ['steps whose outcome stayed unknown (99999)', verdict.unknown],
    ['… of which the carrier had accepted all parts', verdict.unknownAtCarrier],
    ['parts that reached the carrier twice', duplicates.length],
    ['longest stall of a route', seconds(verdict.longestStallMs)],
  ]
}

function codesOf(load: Load): string {
  const codes = [...load.sends.values()].flatMap(({ reply }) =>
    reply?.kind === 'refused' ? [reply.code] : [],
  )
  return codes.length === 0 ? '' : ` (${[...new Set(codes)].sort().join(', ')})`
}

/** One row for each fault: how often it ran, and the worst of each figure. */
export function faultTable(evidence: Evidence): string {
  const rows = [...Map.groupBy(evidence.faultRuns, ({ fault }) => fault.name)].map(([name, faultRuns]) => {
    const all = faultRuns.map((faultRun) => recoveryOf(faultRun, evidence))
    const worst = (figure: 'recoveryMs' | 'stallMs'): string =>
      seconds(Math.max(...all.map((one) => one[figure])))
    const failed = Math.max(...all.map((one) => one.failed))
    const unknown = Math.max(...faultRuns.map((faultRun) => unknownOf(faultRun, evidence)))
    const counts = [failed, unknown].map(String)
    return [name, String(faultRuns.length), worst('recoveryMs'), worst('stallMs'), ...counts]
  })
  const head = ['Fault', 'Times', 'Recovery', 'Longest stall', 'Sends not answered A000', 'Unknown steps']
  return [head, head.map(() => '---'), ...rows.sort((a, b) => a[0]!.localeCompare(b[0]!, 'en'))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function unknownOf(faultRun: FaultRun, { unknownSteps, faultRuns }: Evidence): number {
  return unknownSteps.filter((step) => faultOf(step, faultRuns) === faultRun).length
}

export function faultRunLine(faultRun: FaultRun, evidence: Evidence): string {
  const { recoveryMs, stallMs, failed } = recoveryOf(faultRun, evidence)
  const back = seconds(faultRun.overAt - faultRun.injectedAt)
  return `${faultRun.fault.name}: flowing after ${seconds(recoveryMs)}, longest stall ${seconds(stallMs)}, ${failed} sends failed, all back after ${back}`
}

export function page(evidence: Evidence, verdict: Verdict, options: ChaosOptions): string {
  const { rate, seed, minutes, every } = options
  const memory = Math.round(totalmem() / 2 ** 30)
  const counts = countsOf(evidence, verdict).map(([what, count]) => `| ${what} | ${count} |`)
  return `# Chaos

Written by \`npm run chaos -- --write\`; do not edit. Two APIs, two workers, three RabbitMQ nodes, PostgreSQL with a
synchronous standby behind HAProxy, Toxiproxy on every connection, the simulated carrier and the load, all on
${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}) with ${memory} GB. One fault every ${every} s for ${minutes} minutes at ${rate} messages a
second: single texts, 1 to 5 parts, flows of two and three steps whose first steps fail. Seed ${seed};
\`npm run chaos -- --seed ${seed}\` repeats the faults in the same order. ${new Date().toISOString().slice(0, 10)}; load average over the last
15 minutes, the run's own included: ${loadavg()[2]!.toFixed(0)}. Without faults all this uses up two cores at about 700 messages a second;
beyond that recoveries take longer, because the backlog is worked off first.

## Faults

Recovery: from the fault until a message of every route, sent after it, was accepted, submitted and reported; at most
${allowedMs / 1000} s are allowed. For the disk alarm it is measured from its end: during the alarm every send must be refused,
with 503, or with 429 above the account's share.
Stall: the longest time in which nothing was reported on one of the routes. Unknown steps: those that ended as 99999. The
worst of all runs is shown.

A step is claimed in PostgreSQL before it is handed to the socket, so that after the death of a process it is known what may
have been sent. What a process had claimed and not handed over when it died cannot be told from the rest: it ends as unknown as
well ([ADR 5](adr/0005-claim-before-submit.md)). The run checks each unknown step: it was recorded during a fault in which a
worker or a link was lost; its receipts did not decide it because the carrier had not accepted all of it, or sends none; and
no more than ${maxClaimed} parts of a route were claimed ahead.

${faultTable(evidence)}

## Messages

| | |
| --- | --- |
${counts.join('\n')}

${verdict.findings.length === 0 ? 'No findings.' : `Findings:\n\n${verdict.findings.map((finding) => `- ${finding}`).join('\n')}`}
${duplicateLines(evidence)}`
}

export function duplicateLines({ duplicates }: Evidence): string {
  return duplicates
    .map(({ what, explanation }) => `\n- twice at the carrier: ${what}: ${explanation ?? 'NOT EXPLAINED'}`)
    .join('')
}
