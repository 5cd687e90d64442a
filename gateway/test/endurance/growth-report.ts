/** The result of `npm run growth`: table, charts, and docs/growth.md. Pure. */
import { drawChart } from './chart.ts'
import { bounds, densities, megabytes, type GrowthRun } from './growth-judge.ts'
import { partitioned, type DayEnd } from './growth-samples.ts'
import { describeMeasurement } from '../support/measurement.ts'
import { growthOf, soakTable } from './soak-report.ts'

export function renderRun({ samples, moments, days }: GrowthRun): string {
  const lines = days.map((end) => dayCells(end).join('  '))
  const largest = Math.max(0, ...moments.map(({ open }) => open))
  return `${soakTable([...samples].map(([name, list]) => growthOf(name, list)))}

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

export function drawMemory({ samples }: GrowthRun): string {
  return drawChart({
    title: 'Memory of each process',
    ...{ x: 'minutes', y: 'MB', minY: 0 },
    series: [...samples].map(([name, list]) => ({
      ...{ name, as: 'line' as const },
      points: list.map(({ minute, residentKb }) => [minute, residentKb / 1024] as const),
    })),
  })
}

export function drawQueues({ moments }: GrowthRun): string {
  const points = (figure: 'open' | 'waiting' | 'queued') =>
    moments.map((moment) => [moment.minute, moment[figure]] as const)
  return drawChart({
    title: 'Messages under way',
    ...{ x: 'minutes', y: 'messages', minY: 0 },
    series: [
      { name: 'open', as: 'line', points: points('open') },
      { name: 'waiting', as: 'line', points: points('waiting') },
      { name: 'in queues', as: 'line', points: points('queued') },
    ],
  })
}

export function drawTables({ days }: GrowthRun): string {
  const sized = (bytes: (end: DayEnd) => number) =>
    days.map((end, index) => [index + 1, bytes(end) / 1e6] as const)
  const sum = (sizes: readonly { readonly bytes: number }[]): number =>
    sizes.reduce((total, { bytes }) => total + bytes, 0)
  return drawChart({
    title: 'Size at the end of each day',
    ...{ x: 'days', y: 'MB', minY: 0 },
    series: [
      { name: 'day partitions', as: 'line', points: sized(({ partitions }) => sum(partitions)) },
      { name: 'other tables', as: 'line', points: sized(({ tables }) => sum(Object.values(tables))) },
    ],
  })
}

export function growthPage(run: GrowthRun, findings: readonly string[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const bytes = partitioned.map((table) => {
    const found = densities(run.days, table).map(([, each]) => String(Math.round(each)))
    return line([table, found.join(', ')])
  })
  return `# Growth

\`npm run growth -- --minutes ${run.minutes} --rate ${run.rate} --write\`: two APIs, two workers and a simulated carrier on a PostgreSQL of their own,
${run.rate} messages a second over ${run.days.length} midnights, messages kept for ${run.retentionDays} days. The clock of all processes and of PostgreSQL
runs at normal speed while messages are sent, midnight in the middle; then the messages end, and the clock is moved to the next
evening in steps of less than an hour.

| Must hold | |
| --- | --- |
| memory | the line through the second half rises by less than 0.2 % a minute beyond two standard errors |
| messages under way | second half at most ${bounds.openShare} × the first + ${bounds.openMessages}; the first queue at most ${bounds.firstQueueSeconds} s old |
| tables | each table that is not partitioned: second half at most ${bounds.tableShare} × the first + ${megabytes(bounds.tableBytes)} |
| day partitions | bytes a row of the last day at most ${bounds.bytesShare} × the first; a day exists before it begins; days past retention are dropped within ${bounds.partitionSeconds} s, reports that were written after midnight within the hour |
| messages | each accepted message submitted once and reported once; ledger gap 0 on every day |

${findings.length === 0 ? 'All of it held.' : `Wrong: ${findings.join('; ')}.`} ${run.sent.toLocaleString('en-US')} messages were sent.

${line(dayTitles)}
${line(dayTitles.map((_, index) => (index === 0 ? '---' : '---:')))}
${run.days.map((end) => line(dayCells(end))).join('\n')}

Bytes a row of each full day, indexes included:

| table | day by day |
| --- | --- |
${bytes.join('\n')}

![Memory of each process](img/growth-memory.svg)

![Messages under way](img/growth-queues.svg)

![Size at the end of each day](img/growth-tables.svg)

${describeMeasurement()}
`
}
