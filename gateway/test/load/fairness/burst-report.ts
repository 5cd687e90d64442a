/**
 * Compares the figures of the burst run with their limits, and creates the charts and the section of
 * docs/evidence/fairness.md.
 */
import type { BurstRun } from './burst.ts'
import { drawChart } from '../chart.ts'
import type { Delays } from './delays.ts'
import { describeMeasurement } from '../../support/measure/measurement.ts'

/** Limits of a run. */
export const burstLimits = { urgentP99Ms: 1_000, sameLaneP99Ms: 3_000 } as const

export function checkBurst(run: BurstRun): string[] {
  const findings = [...run.failures, ...run.flood.failures]
  const mustHold = (holds: boolean, finding: string): void => {
    if (!holds) findings.push(finding)
  }
  const { urgent, sameLane, refusals, flood, lost, doubled } = run
  mustHold(urgent.spread.p99 < burstLimits.urgentP99Ms, `one-time codes took ${ms(urgent.spread.p99)} (p99)`)
  mustHold(
    sameLane.spread.p99 < burstLimits.sameLaneP99Ms,
    `texts in the lane of the flood took ${ms(sameLane.spread.p99)} (p99)`,
  )
  mustHold(
    refusals.length === 0,
    `${refusals.length} requests of the other accounts were rejected: ${[...new Set(refusals)].slice(0, 5).join('; ')}`,
  )
  mustHold(flood.refused > 0, 'no request of the flood was rejected')
  mustHold(lost === 0, `${lost} messages did not reach exactly one outcome`)
  mustHold(doubled === 0, `${doubled} messages reached the carrier twice`)
  return findings
}

/** Formats the figures as one line of JSON. */
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
      `p99 < ${ms(burstLimits.urgentP99Ms)}`,
    ],
    [
      `${count(sameLane.spread.count)} texts in the lane of the flood, the same`,
      delays(sameLane),
      `p99 < ${ms(burstLimits.sameLaneP99Ms)}`,
    ],
    [
      'of which until the response of the API: codes p50 / p99, texts p50 / p99',
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
      'longest age of the intake queue',
      `${Math.max(0, ...run.queueAge.map(([, age]) => age)).toFixed(1)} s`,
      '',
    ],
    ['accepted messages without exactly one outcome', count(lost), '0'],
  ]
}

export function drawBurstDelays({ urgent, sameLane }: BurstRun): string {
  // A logarithmic scale cannot show zero.
  const withoutZeros = ({ points }: Delays): [number, number][] =>
    points.map(([at, delay]) => [at, Math.max(1, delay)])
  return drawChart({
    title: 'From request to carrier while another account floods the API',
    x: 'seconds',
    y: 'milliseconds',
    logY: true,
    rules: [
      { at: burstLimits.urgentP99Ms, name: '1 second' },
      { at: burstLimits.sameLaneP99Ms, name: '3 seconds' },
    ],
    series: [
      { name: 'one-time codes', as: 'dots', points: withoutZeros(urgent) },
      { name: 'texts, same lane', as: 'dots', points: withoutZeros(sameLane) },
    ],
  })
}

export function drawBurstQueue({ queueAge }: BurstRun): string {
  return drawChart({
    title: 'Age of the intake queue, in the lane of the flood',
    x: 'seconds',
    y: 'seconds',
    minY: 0,
    series: [{ name: 'age', as: 'line', points: queueAge }],
  })
}

export function drawBurstRate({ acceptedRate }: BurstRun): string {
  return drawChart({
    title: 'Messages of the flooding account that are accepted',
    x: 'seconds',
    y: 'messages per second',
    minY: 0,
    series: [{ name: 'accepted', as: 'line', points: acceptedRate }],
  })
}

export function burstSection(run: BurstRun): string {
  const { seconds, messages, outstanding } = run.options
  const rows = burstFigures(run).map(
    ([name, figure, limit]) => `- ${name}: ${figure}${limit === '' ? '' : ` (limit: ${limit})`}`,
  )
  return `For ${seconds} seconds one account keeps ${count(outstanding)} requests of 10 messages outstanding. A second account sends ${count(messages)} codes
in the lane \`urgent\`, and a third one ${count(messages)} texts in the lane of the flood.

${rows.join('\n')}

![Delay of each message](../pictures/fairness-burst-delays.svg)

![Age of the intake queue](../pictures/fairness-burst-queue.svg)

![Accepted messages of the flooding account](../pictures/fairness-burst-rate.svg)

${describeMeasurement()}`
}

const ms = (value: number): string => `${Math.round(value).toLocaleString('en-US')} ms`
const count = (value: number): string => value.toLocaleString('en-US')
const tenths = (value: number): number => Math.round(value * 10) / 10
