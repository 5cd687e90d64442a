/** The result of a soak: the growth of each process, whether it is flat, and the page in docs/. Pure. */
import { loadavg } from 'node:os'
import { describeHardware, readHardware } from '../../../scripts/hardware.ts'
import { drawChart } from './chart.ts'
import type { Sample } from './process-usage.ts'
import { trendOf, type Trend } from '../support/statistics.ts'

export interface Growth {
  readonly name: string
  /** KB, and its slope in KB a minute, over the second half. */
  readonly memory: Trend
  readonly descriptors: Trend
}

/** Flat: below this share of its size a minute. Garbage collection alone moves it by about as much. */
const maxShareAMinute = 0.002
/** Descriptors vary with connections; a leak of one per request or reconnect would be far above. */
const maxDescriptorsAMinute = 0.5
/** Before that, caches and heaps are still filling and a slope proves nothing. */
export const minMinutes = 10

export function growthOf(name: string, samples: readonly Sample[]): Growth {
  const last = samples.at(-1)?.minute ?? 0
  const second = samples.filter(({ minute }) => minute >= last / 2)
  return {
    name,
    memory: trendOf(second.map(({ minute, residentKb }) => [minute, residentKb])),
    descriptors: trendOf(second.map(({ minute, descriptors }) => [minute, descriptors])),
  }
}

export function judgeGrowth({ name, memory, descriptors }: Growth, minutes: number): string[] {
  if (minutes < minMinutes) return []
  const findings: string[] = []
  // Two standard errors are allowed for chance.
  if (memory.slope - 2 * memory.standardError > memory.mean * maxShareAMinute)
    findings.push(`${name} grows by ${Math.round(memory.slope)} KB a minute`)
  if (descriptors.slope > maxDescriptorsAMinute)
    findings.push(`${name} opens ${descriptors.slope.toFixed(1)} file descriptors a minute`)
  return findings
}

const titles = ['process', 'memory', 'slope', '± (2 SE)', 'of its size', 'descriptors', 'slope']

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

export function soakPage(growths: readonly Growth[], run: SoakRun): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const load = loadavg().map((value) => value.toFixed(1))
  return `# Soak

\`npm run soak -- --minutes ${run.minutes} --rate ${run.rate} --write\`: two APIs, two workers and a simulated carrier
under a steady load; the resident memory and the file descriptors of each process every ${run.every} seconds. The slope is
that of a straight line through the samples of the second half, by least squares. Flat means: less than
${maxShareAMinute * 100} % of its size a minute beyond two standard errors, and fewer than ${maxDescriptorsAMinute} new descriptors a minute.

${line(titles)}
${line(titles.map((_, index) => (index === 0 ? '---' : '---:')))}
${rowsOf(growths).map(line).join('\n')}

![Resident memory of each process](img/soak-memory.svg)

${run.sent.toLocaleString('en-US')} messages were sent. ${
    run.wrong.length === 0
      ? 'Every one was accepted, submitted once and reported once; the ledger has no gap.'
      : `Wrong: ${run.wrong.join('; ')}.`
  }

Measured on ${new Date().toISOString().slice(0, 10)} with ${describeHardware(readHardware())}. The machine was shared:
load average ${load.join(', ')} at the end.
`
}
