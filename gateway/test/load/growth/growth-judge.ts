/** Checks whether a run of `npm run suite -- growth` stayed within its limits. */
import { toKeyDay, parseKeyDay } from '../../../src/records/partitions.ts'
import { computeMean } from '../../support/measure/statistics.ts'
import { listKeptDays, partitionedTables, type DayEnd, type Moment } from './growth-samples.ts'
import type { Sample } from '../process-usage.ts'
import { computeGrowth, checkGrowth } from './soak-report.ts'

export interface GrowthRun {
  readonly minutes: number
  readonly rate: number
  readonly retentionDays: number
  readonly sent: number
  readonly samples: ReadonlyMap<string, readonly Sample[]>
  readonly moments: readonly Moment[]
  readonly days: readonly DayEnd[]
  /** Lost, doubled and rejected messages, and unexpected exits. */
  readonly wrong: readonly string[]
}

/** Limits of a run. A table may be larger in the second half of the days by this factor and this much. */
export const growthLimits = {
  tableFactor: 1.25,
  tableBytes: 2 * 1024 * 1024,
  /** Bytes per row of a partition: the last full day divided by the first. */
  bytesFactor: 1.15,
  openFactor: 1.5,
  openMessages: 200,
  intakeQueueSeconds: 5,
  /** A worker checks the hour every two seconds; dropping waits for running transactions. */
  partitionSeconds: 20,
} as const

export function checkGrowthRun(run: GrowthRun): string[] {
  const { moments, days, samples, minutes, retentionDays } = run
  const growths = [...samples].map(([name, list]) => computeGrowth(name, list))
  return [
    ...run.wrong,
    ...growths.flatMap((growth) => checkGrowth(growth, minutes)),
    ...checkQueues(moments),
    ...checkPartitions(moments, retentionDays),
    ...checkTableGrowth(days),
    ...checkDensity(days),
    ...days.filter(({ gap }) => gap !== 0).map(({ day, gap }) => `${day} ended with a ledger gap of ${gap}`),
  ]
}

function checkQueues(moments: readonly Moment[]): string[] {
  const findings: string[] = []
  for (const figure of ['open', 'waiting', 'queued'] as const) {
    const [first, second] = halves(moments).map((half) => computeMean(half.map((moment) => moment[figure])))
    if (second! > first! * growthLimits.openFactor + growthLimits.openMessages)
      findings.push(`${figure} messages grew from ${Math.round(first!)} to ${Math.round(second!)} on average`)
  }
  const oldest = Math.max(...moments.map(({ intakeQueueSeconds }) => intakeQueueSeconds))
  if (oldest > growthLimits.intakeQueueSeconds)
    findings.push(
      `the intake queue was ${oldest.toFixed(1)} s old; limit ${growthLimits.intakeQueueSeconds} s`,
    )
  return findings
}

/** At midnight the new day must exist. Soon after, the next one must exist and expired ones must be gone. */
export function checkPartitions(moments: readonly Moment[], retentionDays: number): string[] {
  const findings = new Set<string>()
  const firstOfDay = new Map<string, Date>()
  const observedDays = new Set(moments.flatMap(({ days }) => Object.values(days).flat()))
  for (const { at, days } of moments) {
    const today = toKeyDay(at)
    if (!firstOfDay.has(today)) firstOfDay.set(today, at)
    const isLate = at.getTime() - firstOfDay.get(today)!.getTime() > growthLimits.partitionSeconds * 1000
    const due = listKeptDays(at, retentionDays)
    for (const table of partitionedTables) {
      const found = days[table] ?? []
      for (const day of due) {
        // Days before the run have none.
        if (!observedDays.has(day) || found.includes(day)) continue
        if (day <= today) findings.add(`${table} of ${day} was missing on ${today}`)
        else if (isLate) findings.add(`${table} of ${day} was not created in the first seconds of ${today}`)
      }
      const past = found.filter((day) => day < due[0]! && !mayHoldYoungReports(table, day, at, due[0]!))
      if (past.length > 0 && isLate) findings.add(`${table} of ${past.join(', ')} was kept on ${today}`)
    }
  }
  return [...findings]
}

/**
 * The report of a message that was accepted before midnight may be written after it. Such a day keeps its
 * reports until the last of them is as old as the retention, which the workers check every hour.
 */
function mayHoldYoungReports(table: string, day: string, at: Date, oldestKept: string): boolean {
  const isLastPast = toKeyDay(parseKeyDay(day)!, 1) === oldestKept
  const sinceMidnightMs = at.getTime() % 86_400_000
  return (
    table === 'reports' && isLastPast && sinceMidnightMs < 3_600_000 + growthLimits.partitionSeconds * 1000
  )
}

export function checkTableGrowth(days: readonly DayEnd[]): string[] {
  const [early, late] = halves(days)
  const names = Object.keys(days.at(-1)?.tables ?? {})
  return names.flatMap((name) => {
    const largest = (half: readonly DayEnd[]): number =>
      Math.max(0, ...half.map(({ tables }) => tables[name]?.bytes ?? 0))
    const [before, after] = [largest(early), largest(late)]
    if (after <= before * growthLimits.tableFactor + growthLimits.tableBytes) return []
    return [`table ${name} grew from ${megabytes(before)} to ${megabytes(after)}`]
  })
}

/** Returns the bytes per row of a table by full day: bloat increases them. */
export function computeDensities(days: readonly DayEnd[], table: string): [string, number][] {
  const found = new Map<string, number>()
  // The last observed size of a past day.
  for (const { partitions, day: now } of days)
    for (const { table: name, day, rows, bytes } of partitions)
      if (name === table && day < now && rows >= 1_000) found.set(day, bytes / rows)
  return [...found].sort()
}

function checkDensity(days: readonly DayEnd[]): string[] {
  return partitionedTables.flatMap((table) => {
    const found = computeDensities(days, table)
    const [first, last] = [found[0], found.at(-1)]
    if (found.length < 2 || last![1] <= first![1] * growthLimits.bytesFactor) return []
    return [
      `${table} took ${Math.round(first![1])} bytes per row on ${first![0]} and ${Math.round(last![1])} on ${last![0]}`,
    ]
  })
}

function halves<T>(list: readonly T[]): [readonly T[], readonly T[]] {
  const middle = Math.floor(list.length / 2)
  return [list.slice(0, middle), list.slice(middle)]
}

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
