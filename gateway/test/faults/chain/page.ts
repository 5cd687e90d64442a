import { describeMeasurement } from '../../support/measure/measurement.ts'
import type { ChainCounts } from './evidence.ts'
import type { Kill } from './explain.ts'

export interface ChainRun {
  /** Command that repeats the run. */
  readonly command: string
  readonly seconds: number
  readonly messages: number
  readonly kills: readonly Kill[]
  readonly counts: ChainCounts
  /** Number of uncertain outcomes that no kill explains. */
  readonly unexplained: number
  /** Longest time without a report, from the first to the last one. */
  readonly longestStallMs: number
  /** Number of messages that reached the far installation or the carrier twice. */
  readonly doubled: number
  readonly findings: readonly string[]
}

const maxFindings = 20

/** Formats the section of docs/evidence/chain.md with the result of one run. */
export function chainSection(run: ChainRun): string {
  const { counts, findings } = run
  const load = `${count(run.messages)} messages in ${run.seconds.toFixed(0)} s`
  return `\`${run.command}\`: ${load}. ${describeMeasurement()}

- lost: without a report: ${count(counts.lost)} (limit: 0)
- doubled: twice at the far installation or at the carrier: ${count(run.doubled)} (limit: 0)
- with more than one report: ${count(counts.repeated)} (limit: 0)
- with a wrong report: ${count(counts.wrong)} (limit: 0)
- with the right report: ${count(counts.right)}
- without a certain outcome: ${count(counts.uncertain)}
- of these, not explained by a kill: ${count(run.unexplained)} (limit: 0)
- longest time without a report: ${(run.longestStallMs / 1_000).toFixed(1)} s

${formatKills(run)}

${findings.length === 0 ? 'Nothing was wrong.' : `**${count(findings.length)} findings**, the first ones:\n\n${findings.slice(0, maxFindings).map(oneLine).join('\n')}`}
`
}

function formatKills({ kills }: ChainRun): string {
  const readyAfter = kills.map(({ readyAfterMs }) => readyAfterMs ?? Infinity)
  const longest = Math.max(...readyAfter)
  return `${kills.length} processes were killed with -9; ${longest === Infinity ? 'not all became ready again' : `each was ready again within ${(longest / 1_000).toFixed(1)} s`}.`
}

function oneLine(finding: string): string {
  return `- ${finding.split('\n')[0]!}`
}

function count(value: number): string {
  return value.toLocaleString('en-US')
}
