/** The result of the burst run: figures against their bounds, charts, and the section of docs/fairness.md. Pure. */
import type { BurstRun } from './burst.ts'
import { drawChart } from './chart.ts'
import type { Delays } from './delays.ts'
import { describeMeasurement } from '../support/measurement.ts'

/** Bounds that a run must keep. */
export const burstBounds = { urgentP99Ms: 1_000, sameLaneP99Ms: 3_000 } as const

export function judgeBurst(run: BurstRun): string[] {
  const findings = [...run.failures, ...run.flood.failures]
  const mustHold = (holds: boolean, what: string): void => {
    if (!holds) findings.push(what)
  }
  const { urgent, sameLane, refusals, flood, lost, doubled } = run
  mustHold(urgent.spread.p99 < burstBounds.urgentP99Ms, `one-time codes took ${ms(urgent.spread.p99)} (p99)`)
  mustHold(
    sameLane.spread.p99 < burstBounds.sameLaneP99Ms,
    `texts in the lane of the flood took ${ms(sameLane.spread.p99)} (p99)`,
  )
  mustHold(
    refusals.length === 0,
    `${refusals.length} requests of the other accounts were refused: ${[...new Set(refusals)].slice(0, 5).join('; ')}`,
  )
  mustHold(flood.refused > 0, 'no request of the flood was refused')
  mustHold(lost === 0, `${lost} messages did not reach exactly one outcome`)
  mustHold(doubled === 0, `${doubled} messages reached the carrier twice`)
  return findings
}

/** One line for programs. */
export function burstJson({ urgent, sameLane, refusals, lost }: BurstRun): string {
  const figures = ({ spread }: Delays) => ({ p50Ms: tenths(spread.p50), p99Ms: tenths(spread.p99) })
  return JSON.stringify({
    urgent: figures(urgent),
    sameLane: figures(sameLane),
    neighboursRefused: refusals.length,
    lost,
  })
}

export function burstFigures(run: BurstRun): [string, string, string][] {
  const { urgent, sameLane, refusals, flood, lost } = run
  const delays = ({ spread }: Delays): string => `${ms(spread.p50)} / ${ms(spread.p99)} / ${ms(spread.max)}`
  const waits = [...flood.retryAfter.keys()]
  return [
    [
      `${count(urgent.spread.count)} one-time codes, request to submission: p50 / p99 / max`,
      delays(urgent),
      `p99 < ${ms(burstBounds.urgentP99Ms)}`,
    ],
    [
      `${count(sameLane.spread.count)} texts in the lane of the flood, the same`,
      delays(sameLane),
      `p99 < ${ms(burstBounds.sameLaneP99Ms)}`,
    ],
    [
      'of which until the API answered: codes p50 / p99, texts p50 / p99',
      [urgent, sameLane]
        .flatMap(({ answered }) => [answered.p50, answered.p99])
        .map(ms)
        .join(' / '),
      '',
    ],
    ['requests of these two accounts that were refused', count(refusals.length), '0'],
    ['messages of the flood that were accepted', count(flood.accepted), ''],
    [
      'requests of the flood that were refused, and their `Retry-After`',
      waits.length === 0 ? '0' : `${count(flood.refused)}, ${Math.min(...waits)} to ${Math.max(...waits)} s`,
      '',
    ],
    [
      'longest age of the first queue',
      `${Math.max(0, ...run.queueAge.map(([, age]) => age)).toFixed(1)} s`,
      '',
    ],
    ['accepted messages without exactly one outcome', count(lost), '0'],
  ]
}

export function drawBurstDelays({ urgent, sameLane }: BurstRun): string {
  // Zero has no place on a logarithmic scale.
  const shown = ({ points }: Delays): [number, number][] =>
    points.map(([at, delay]) => [at, Math.max(1, delay)])
  return drawChart({
    title: 'From request to carrier while another account floods the API',
    ...{ x: 'seconds', y: 'milliseconds', logY: true },
    rules: [
      { at: burstBounds.urgentP99Ms, name: '1 second' },
      { at: burstBounds.sameLaneP99Ms, name: '3 seconds' },
    ],
    series: [
      { name: 'one-time codes', as: 'dots', points: shown(urgent) },
      { name: 'texts, same lane', as: 'dots', points: shown(sameLane) },
    ],
  })
}

export function drawBurstQueue({ queueAge }: BurstRun): string {
  return drawChart({
    title: 'Age of the first queue, in the lane of the flood',
    ...{ x: 'seconds', y: 'seconds', minY: 0 },
    series: [{ name: 'age', as: 'line', points: queueAge }],
  })
}

export function drawBurstRate({ acceptedRate }: BurstRun): string {
  return drawChart({
    title: 'Messages of the flooding account that are accepted',
    ...{ x: 'seconds', y: 'messages a second', minY: 0 },
    series: [{ name: 'accepted', as: 'line', points: acceptedRate }],
  })
}

export function burstSection(run: BurstRun): string {
  const { seconds, messages, outstanding } = run.options
  const rows = burstFigures(run).map((cells) => `| ${cells.join(' | ')} |`)
  return `For ${seconds} seconds one account sends omni requests with 10 destinations as fast as two APIs accept them, ${count(outstanding)} requests
outstanding; a refused request is sent again after its \`Retry-After\`. Meanwhile a second account sends ${count(messages)} codes
(\`ttl\` of 180 seconds: lane \`urgent\`) and a third one ${count(messages)} texts in the lane of the flood.

| | measured | bound |
| --- | ---: | ---: |
${rows.join('\n')}

![Delay of each message](img/fairness-burst-delays.svg)

![Age of the first queue](img/fairness-burst-queue.svg)

![Accepted messages of the flooding account](img/fairness-burst-rate.svg)

${describeMeasurement()}`
}

const ms = (value: number): string => `${Math.round(value).toLocaleString('en-US')} ms`
const count = (value: number): string => value.toLocaleString('en-US')
const tenths = (value: number): number => Math.round(value * 10) / 10
