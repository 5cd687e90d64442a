/** Formats the result for docs/evidence/at-size.md and the terminal. */
import { describeMeasurement } from '../../support/measure/measurement.ts'
import type { Spread } from '../../support/measure/statistics.ts'
import type { ReportVolume } from './fill-tables.ts'

export interface SizeResult {
  readonly size: ReportVolume
  readonly seconds: number
  readonly firstMs: number
  readonly writtenPerSecond: number
  readonly poll: Spread
  readonly others: Spread
  readonly acknowledge: Spread
  readonly plans: ReadonlyMap<string, string>
}

/** Limits of the p99 in milliseconds. */
export const maxP99Ms = { poll: 100, acknowledge: 20 } as const

const count = (n: number): string => n.toLocaleString('en-US')
const ms = (value: number): string => `${value.toFixed(1)} ms`
const spread = ({ p50, p99, max }: Spread): string => [p50, p99, max].map(ms).join(' / ')

/** Returns the section of docs/evidence/at-size.md. */
export function sizeSection(result: SizeResult): string {
  const { size, seconds, firstMs, writtenPerSecond, poll, others, acknowledge } = result
  return `\`npm run suite -- reports:size --write\`: one account has ${count(size.pending)} reports waiting and ${count(size.expired)} that have expired
from polling; ${count(size.accounts)} accounts have ${size.each} each. For ${seconds} seconds ${count(Math.round(writtenPerSecond))} reports per second are written.

p50 / p99 / max:

- poll of 1,000 (${count(poll.count)} of them): ${spread(poll)} (limit: p99 < ${maxP99Ms.poll} ms)
- poll of an account at random (${count(others.count)}): ${spread(others)}
- acknowledge (${count(acknowledge.count)}): ${spread(acknowledge)} (limit: p99 < ${maxP99Ms.acknowledge} ms)
- the first poll, which steps over ${count(size.expired)} expired reports: ${ms(firstMs)}

${describeMeasurement()}`
}

/** Returns the plans of the statements, for the terminal. */
export function renderPlans({ plans }: SizeResult): string {
  return [...plans].map(([name, plan]) => `${name}\n${shorten(plan)}\n`).join('\n')
}

/** Shows three of the equal nodes of partitions. */
function shorten(plan: string): string {
  const lines = plan.split('\n')
  const planLines: string[] = []
  let nodes = 0
  let omitted = 0
  for (const line of lines) {
    if (/^ +-> +Index Scan/.test(line)) nodes++
    if (/^[A-Z]/.test(line)) nodes = 0
    if (nodes <= 3) planLines.push(line)
    else if (line.includes('Index Scan')) omitted++
  }
  if (omitted > 0) planLines.push(`(and ${omitted} partitions more in the same way)`)
  return planLines.join('\n')
}
