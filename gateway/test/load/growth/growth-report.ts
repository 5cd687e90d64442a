/** Formats the result of `npm run suite -- growth`: tables, a chart, and the section of docs/evidence/endurance.md. */
import { drawChart } from '../chart.ts'
import { computeDensities, megabytes, type GrowthRun } from './growth-judge.ts'
import { partitionedTables, type DayEnd } from './growth-samples.ts'
import { describeMeasurement } from '../../support/measure/measurement.ts'
import { computeGrowth, soakTable } from './soak-report.ts'

export function renderRun({ samples, moments, days }: GrowthRun): string {
  const lines = days.map((end) => dayCells(end).join('  '))
  const largest = Math.max(0, ...moments.map(({ open }) => open))
  return `${soakTable([...samples].map(([name, list]) => computeGrowth(name, list)))}

${dayTitles.join('  ')}
${lines.join('\n')}
at most ${largest} messages open at once
`
}

const dayTitles = ['day', 'messages', 'database', 'other tables', 'dead rows', 'partitions', 'gap']
function dayCells({ day, messages, databaseBytes, tables, partitions, gap }: DayEnd): string[] {
  const all = [...Object.values(tables), ...partitions]
  const others = Object.values(tables).reduce((sum, { bytes }) => sum + bytes, 0)
  return [
    day,
    messages.toLocaleString('en-US'),
    megabytes(databaseBytes),
    megabytes(others),
    all.reduce((sum, { dead }) => sum + dead, 0).toLocaleString('en-US'),
    String(partitions.length),
    String(gap),
  ]
}

export function drawTables({ days }: GrowthRun): string {
  const sized = (bytes: (end: DayEnd) => number) =>
    days.map((end, index) => [index + 1, bytes(end) / 1e6] as const)
  const sum = (sizes: readonly { readonly bytes: number }[]): number =>
    sizes.reduce((total, { bytes }) => total + bytes, 0)
  return drawChart({
    title: 'Size at the end of each day',
    x: 'days',
    y: 'MB',
    minY: 0,
    series: [
      { name: 'day partitions', as: 'line', points: sized(({ partitions }) => sum(partitions)) },
      { name: 'other tables', as: 'line', points: sized(({ tables }) => sum(Object.values(tables))) },
    ],
  })
}

/** Columns that only the terminal shows. */
const hiddenOnPage = new Set(['dead rows', 'partitions'])
const onPage = (cells: readonly string[]): string[] =>
  cells.filter((_, index) => !hiddenOnPage.has(dayTitles[index]!))

/** Returns the section of docs/evidence/endurance.md. */
export function growthSection(run: GrowthRun, findings: readonly string[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const pageDays = run.days.length === 0 ? [] : [run.days[0]!, run.days.at(-1)!]
  const bytes = partitionedTables.map((table) => {
    const found = computeDensities(run.days, table).map(([, each]) => Math.round(each))
    return `${table} ${Math.min(...found)} to ${Math.max(...found)}`
  })
  return `\`npm run suite -- growth --minutes ${run.minutes} --rate ${run.rate} --write\`: ${run.sent.toLocaleString('en-US')} messages over ${run.days.length} midnights, kept for
${run.retentionDays} days. ${findings.length === 0 ? 'Every limit was kept.' : `Not kept: ${findings.join('; ')}.`}

${line(onPage(dayTitles))}
${line(onPage(dayTitles).map((_, index) => (index === 0 ? '---' : '---:')))}
${pageDays.map((end) => line(onPage(dayCells(end)))).join('\n')}

Bytes per row of a full day, indexes included: ${bytes.join('; ')}.

![Size at the end of each day](../pictures/growth-tables.svg)

${describeMeasurement()}`
}
