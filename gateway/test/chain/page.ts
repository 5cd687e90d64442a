/** The section of docs/chain.md with the result of one run. Pure, but for the name of the machine. */
import { describeMeasurement } from '../support/measurement.ts'
import type { Counts } from './evidence.ts'
import type { Kill } from './explain.ts'

export interface ChainRun {
  /** Repeats it. */
  readonly command: string
  /** Unix time in milliseconds. */
  readonly startedAt: number
  readonly seconds: number
  readonly messages: number
  readonly kills: readonly Kill[]
  readonly counts: Counts
  /** Messages without a certain outcome by cause. */
  readonly causes: ReadonlyMap<string, number>
  /** Messages without a certain outcome that no kill explains. */
  readonly unexplained: number
  /** Messages that reached the far installation or the carrier twice. */
  readonly doubled: number
  readonly findings: readonly string[]
}

const maxFindings = 20

export function chainSection(run: ChainRun): string {
  const { counts, findings } = run
  const judged = `${count(run.messages)} messages in ${run.seconds.toFixed(0)} s`
  return `\`${run.command}\`: ${judged}. ${describeMeasurement()}

| Messages | Measured | Must be |
|---|--:|--:|
| sent | ${count(run.messages)} | |
| lost: without a report | ${count(counts.lost)} | 0 |
| doubled: twice at the far installation or at the carrier | ${count(run.doubled)} | 0 |
| with more than one report | ${count(counts.repeated)} | 0 |
| with a wrong report | ${count(counts.wrong)} | 0 |
| with the right report | ${count(counts.right)} | |
| without a certain outcome | ${count(counts.uncertain)} | |
| of these, not explained by a kill | ${count(run.unexplained)} | 0 |

${causesOf(run)}

${killsOf(run)}

${findings.length === 0 ? 'Nothing was wrong.' : `**${count(findings.length)} findings**, the first ones:\n\n${findings.slice(0, maxFindings).map(oneLine).join('\n')}`}
`
}

function causesOf({ causes }: ChainRun): string {
  if (causes.size === 0) return 'Every message had a certain outcome.'
  const rows = [...causes].map(([cause, times]) => `| ${cause} | ${count(times)} |`)
  return `| Without a certain outcome, because | Messages |\n|---|--:|\n${rows.join('\n')}`
}

function killsOf({ kills, startedAt }: ChainRun): string {
  const rows = kills.map(({ name, at, readyAfterMs }) => {
    const ready = readyAfterMs === undefined ? 'never' : `${(readyAfterMs / 1_000).toFixed(1)} s`
    return `| ${name} | ${((at - startedAt) / 1_000).toFixed(0)} s | ${ready} |`
  })
  return `| Killed with -9 | At | Ready again after |\n|---|--:|--:|\n${rows.join('\n')}`
}

function oneLine(finding: string): string {
  return `- ${finding.split('\n')[0]!}`
}

function count(value: number): string {
  return value.toLocaleString('en-US')
}
