/** Computes the growth of each process in a soak, checks its limits, and creates the section of its page. */
import { drawChart } from '../chart.ts'
import { describeMeasurement } from '../../support/measure/measurement.ts'
import type { Sample } from '../process-usage.ts'
import { computeTrend, type Trend } from '../../support/measure/statistics.ts'

export interface Growth {
  readonly name: string
  /** Memory in KB over the second half, with its slope in KB per minute. */
  readonly memory: Trend
  readonly descriptors: Trend
}

/** Maximum growth per minute as a fraction of the size. Garbage collection changes the size by about as much. */
const maxFractionPerMinute = 0.002
/** Descriptors vary with connections; a leak of one per request or reconnect would be far above. */
const maxDescriptorsPerMinute = 0.5
/** In shorter runs caches and heaps are still filling, so a slope proves nothing. */
export const minMinutes = 10

export function computeGrowth(name: string, samples: readonly Sample[]): Growth {
  const last = samples.at(-1)?.minute ?? 0
  const secondHalf = samples.filter(({ minute }) => minute >= last / 2)
  return {
    name,
    memory: computeTrend(secondHalf.map(({ minute, residentKb }) => [minute, residentKb])),
    descriptors: computeTrend(secondHalf.map(({ minute, descriptors }) => [minute, descriptors])),
  }
}

export function checkGrowth({ name, memory, descriptors }: Growth, minutes: number): string[] {
  if (minutes < minMinutes) return []
  const findings: string[] = []
  // Two standard errors are allowed for chance.
  if (memory.slope - 2 * memory.standardError > memory.mean * maxFractionPerMinute)
    findings.push(`${name} grows by ${Math.round(memory.slope)} KB per minute`)
  if (descriptors.slope > maxDescriptorsPerMinute)
    findings.push(`${name} opens ${descriptors.slope.toFixed(1)} file descriptors per minute`)
  return findings
}

const titles = ['process', 'memory', 'slope', '± (2 SE)', 'relative slope', 'descriptors', 'slope']

function rowsOf(growths: readonly Growth[]): string[][] {
  return growths.map(({ name, memory, descriptors }) => [
    name,
    `${Math.round(memory.mean / 1024)} MB`,
    `${Math.round(memory.slope)} KB/min`,
    String(Math.round(2 * memory.standardError)),
    `${((memory.slope / memory.mean) * 100).toFixed(2)} %/min`,
    descriptors.mean.toFixed(0),
    `${descriptors.slope.toFixed(2)}/min`,
  ])
}

export function soakTable(growths: readonly Growth[]): string {
  const rows = [titles, ...rowsOf(growths)]
  return rows.map((row) => row.map((cell) => cell.padStart(14)).join('')).join('\n')
}

export function drawSoak(samples: ReadonlyMap<string, readonly Sample[]>): string {
  return drawChart({
    title: 'Resident memory under a steady load',
    x: 'minutes',
    y: 'MB',
    minY: 0,
    series: [...samples].map(([name, list]) => ({
      name,
      as: 'line',
      points: list.map(({ minute, residentKb }) => [minute, residentKb / 1024]),
    })),
  })
}

export interface SoakRun {
  readonly minutes: number
  readonly rate: number
  readonly every: number
  readonly sent: number
  readonly wrong: readonly string[]
}

/** Returns the section of docs/evidence/endurance.md. */
export function soakSection(growths: readonly Growth[], run: SoakRun): string {
  return `\`npm run suite -- soak --minutes ${run.minutes} --rate ${run.rate} --write\`: ${run.sent.toLocaleString('en-US')} messages. ${
    run.wrong.length === 0
      ? 'Every one was accepted, submitted once and reported once; the ledger has no gap.'
      : `Wrong: ${run.wrong.join('; ')}.`
  }

Memory and descriptors of each process, with their slope:

${rowsOf(growths)
  .map(
    ([name, memory, , , ofSize, descriptors, slope]) =>
      `- ${name}: ${memory}, ${ofSize}; ${descriptors}, ${slope}`,
  )
  .join('\n')}

![Resident memory of each process](../pictures/soak-memory.svg)

${describeMeasurement()}`
}
