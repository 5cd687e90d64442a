/**
 * Compares the figures of the backlog run with their limits, and creates the charts and the section of
 * docs/evidence/fairness.md.
 */
import { drawChart } from '../chart.ts'
import { describeMeasurement } from '../../support/measure/measurement.ts'
import type { Delays } from './delays.ts'
import type { CodesOptions, CodesResult } from './one-time-codes.ts'
import type { DeadlineCost } from '../deadlines.ts'
import type { SharesResult } from './account-shares.ts'

export interface FairnessRun {
  readonly options: CodesOptions
  readonly codes: CodesResult
  readonly equal: SharesResult
  readonly weighted: SharesResult
  readonly deadlines: readonly DeadlineCost[]
}

/** Limits of a run. */
export const backlogLimits = {
  urgentP99Ms: 1_000,
  shareOff: 0.1,
  queueSeconds: 10,
  /** Ratio of the cost of a due deadline among the most pending ones to that among the fewest. */
  deadlineRatio: 2,
} as const

export function checkBacklogRun({ options, codes, equal, weighted, deadlines }: FairnessRun): string[] {
  const findings = codes.failures.map((failure) => `a send failed: ${failure}`)
  const mustHold = (holds: boolean, finding: string): void => {
    if (!holds) findings.push(finding)
  }
  const { p99 } = codes.urgent.spread
  mustHold(p99 < backlogLimits.urgentP99Ms, `one-time codes took ${Math.round(p99)} ms (p99)`)
  mustHold(codes.stillWaiting > 0, 'the backlog was empty before the end of the measurement')
  for (const [name, shares] of Object.entries({ equal, weighted })) {
    const percent = (shares.maxDeviation * 100).toFixed(1)
    mustHold(
      shares.maxDeviation <= backlogLimits.shareOff,
      `${name} weights: a share is ${percent} % from fair`,
    )
    mustHold(shares.exhausted === 0, `${name} weights: ${shares.exhausted} accounts had nothing left to send`)
  }
  const deepest = deepestSeconds({ options, codes, equal, weighted })
  mustHold(deepest < backlogLimits.queueSeconds, `a route's queue was ${deepest.toFixed(1)} s deep`)
  const ratio = deadlineRatio(deadlines)
  mustHold(
    ratio < backlogLimits.deadlineRatio,
    `a due deadline costs ${ratio.toFixed(2)} times as much among many`,
  )
  return findings
}

type Depths = Pick<FairnessRun, 'options' | 'codes' | 'equal' | 'weighted'>

export function deepestSeconds({ options, codes, equal, weighted }: Depths): number {
  return Math.max(codes.deepest, equal.deepest, weighted.deepest) / options.rate
}

export function deadlineRatio(costs: readonly DeadlineCost[]): number {
  return costs.at(-1)!.microsPerDue / costs[0]!.microsPerDue
}

const ms = (value: number): string => `${Math.round(value).toLocaleString('en-US')} ms`
const count = (value: number): string => value.toLocaleString('en-US')
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

export function listBacklogFigures(run: FairnessRun): [string, string, string][] {
  const { options, codes, equal, weighted, deadlines } = run
  const delays = ({ spread }: Delays): string => `${ms(spread.p50)} / ${ms(spread.p99)} / ${ms(spread.max)}`
  const rates = [codes, equal, weighted].map(({ submittedPerSecond }) => Math.round(submittedPerSecond))
  const weights = weighted.shares.map(({ submitted }) => submitted)
  const sum = weights.reduce((all, one) => all + one, 0)
  return [
    [
      `${count(codes.urgent.spread.count)} one-time codes, request to submission: p50 / p99 / max`,
      delays(codes.urgent),
      `p99 < ${ms(backlogLimits.urgentP99Ms)}`,
    ],
    [
      `${count(codes.sameLane.spread.count)} messages in the backlog's own lane, the same`,
      delays(codes.sameLane),
      '',
    ],
    [
      `${equal.shares.length} accounts of equal weight: furthest share from equal`,
      percent(equal.maxDeviation),
      `≤ ${percent(backlogLimits.shareOff)}`,
    ],
    [
      `weights ${weighted.shares.map(({ weight }) => weight).join(', ')}: shares`,
      weights.map((submitted) => percent(submitted / sum)).join(', '),
      `≤ ${percent(backlogLimits.shareOff)} off`,
    ],
    [
      'deepest queue of a route, jobs',
      `${count(Math.max(codes.deepest, equal.deepest, weighted.deepest))} (${deepestSeconds(run).toFixed(1)} s)`,
      `< ${backlogLimits.queueSeconds} s of its rate`,
    ],
    [`submissions per second, of ${options.rate}, in the three runs`, rates.join(', '), ''],
    [
      `cost of a due deadline among ${deadlines.map(({ pending }) => count(pending)).join(' / ')} pending`,
      deadlines.map(({ microsPerDue }) => `${microsPerDue.toFixed(0)} µs`).join(' / '),
      `ratio ${deadlineRatio(deadlines).toFixed(2)}, < ${backlogLimits.deadlineRatio}`,
    ],
  ]
}

export function drawDelays({ codes }: FairnessRun): string {
  // A logarithmic scale cannot show zero.
  const withoutZeros = ({ points }: Delays): [number, number][] =>
    points.map(([at, delay]) => [at, Math.max(1, delay)])
  return drawChart({
    title: 'From request to carrier while a backlog waits on the same route',
    x: 'seconds',
    y: 'milliseconds',
    logY: true,
    rules: [{ at: backlogLimits.urgentP99Ms, name: '1 second' }],
    series: [
      { name: 'one-time codes', as: 'dots', points: withoutZeros(codes.urgent) },
      { name: "the backlog's own lane", as: 'dots', points: withoutZeros(codes.sameLane) },
    ],
  })
}

export function drawShares({ equal }: FairnessRun): string {
  return drawChart({
    title: `Share of the route of each of ${equal.shares.length} accounts of equal weight`,
    x: 'messages that the account has waiting',
    y: 'share, 1 is equal',
    logX: true,
    minY: 0.8,
    maxY: 1.2,
    rules: [
      { at: 0.9, name: '−10 %' },
      { at: 1.1, name: '+10 %' },
    ],
    series: [
      { name: 'accounts', as: 'dots', points: equal.shares.map(({ waiting, ofFair }) => [waiting, ofFair]) },
    ],
  })
}

export function backlogSection(run: FairnessRun): string {
  const { options } = run
  const rows = listBacklogFigures(run).map(
    ([name, figure, limit]) => `- ${name}: ${figure}${limit === '' ? '' : ` (limit: ${limit})`}`,
  )
  return `\`npm run suite -- fairness:backlog --backlog ${options.backlog} --rate ${options.rate} --write\`: one SMPP route of ${options.rate} parts per
second. One account has ${count(options.backlog)} messages waiting. A second one sends ${options.codesPerSecond} codes per second in the lane \`urgent\`, a third one
as many texts in the lane of the backlog.

${rows.join('\n')}

![Delay of each message](../pictures/fairness-delays.svg)

![Share of each account](../pictures/fairness-shares.svg)

${describeMeasurement()}
`
}
