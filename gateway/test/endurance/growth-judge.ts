/** Whether a run of `npm run growth` stayed flat: its bounds and the findings beyond them. Pure. */
import { dayOf, dayOfKey } from '../../src/records/partitions.ts'
import { meanOf } from '../support/statistics.ts'
import { keptDays, partitioned, type DayEnd, type Moment } from './growth-samples.ts'
import type { Sample } from './process-usage.ts'
import { growthOf, judgeGrowth } from './soak-report.ts'

export interface GrowthRun {
  readonly minutes: number
  readonly rate: number
  readonly retentionDays: number
  readonly sent: number
  readonly samples: ReadonlyMap<string, readonly Sample[]>
  readonly moments: readonly Moment[]
  readonly days: readonly DayEnd[]
  /** Lost, doubled, refused, and unexpected exits. */
  readonly wrong: readonly string[]
}

/** What must hold. A table may be larger in the second half of the days by this share and this much. */
export const bounds = {
  tableShare: 1.25,
  tableBytes: 2 * 1024 * 1024,
  /** Of a partition: bytes a message, the last full day against the first. */
  bytesShare: 1.15,
  openShare: 1.5,
  openMessages: 200,
  firstQueueSeconds: 5,
  /** A worker looks at the hour every two seconds; dropping waits for running transactions. */
  partitionSeconds: 20,
} as const

export function judgeRun(run: GrowthRun): string[] {
  const { moments, days, samples, minutes, retentionDays } = run
  const growths = [...samples].map(([name, list]) => growthOf(name, list))
  return [
    ...run.wrong,
    ...growths.flatMap((growth) => judgeGrowth(growth, minutes)),
    ...judgeQueues(moments),
    ...judgePartitions(moments, retentionDays),
    ...judgeTables(days),
    ...judgeDensity(days),
    ...days.filter(({ gap }) => gap !== 0).map(({ day, gap }) => `${day} ended with a ledger gap of ${gap}`),
  ]
}

function judgeQueues(moments: readonly Moment[]): string[] {
  const findings: string[] = []
  for (const figure of ['open', 'waiting', 'queued'] as const) {
    const [first, second] = halves(moments).map((half) => meanOf(half.map((moment) => moment[figure])))
    if (second! > first! * bounds.openShare + bounds.openMessages)
      findings.push(`${figure} messages grew from ${Math.round(first!)} to ${Math.round(second!)} on average`)
  }
  const oldest = Math.max(...moments.map(({ firstQueueSeconds }) => firstQueueSeconds))
  if (oldest > bounds.firstQueueSeconds)
    findings.push(
      `the first queue was ${oldest.toFixed(1)} s old; at most ${bounds.firstQueueSeconds} s are allowed`,
    )
  return findings
}

/** At midnight the new day must exist; the next one, and nothing past retention, soon after. */
export function judgePartitions(moments: readonly Moment[], retentionDays: number): string[] {
  const findings = new Set<string>()
  const firstOfDay = new Map<string, Date>()
  const kept = new Set(moments.flatMap(({ days }) => Object.values(days).flat()))
  for (const { at, days } of moments) {
    const today = dayOf(at)
    if (!firstOfDay.has(today)) firstOfDay.set(today, at)
    const isLate = at.getTime() - firstOfDay.get(today)!.getTime() > bounds.partitionSeconds * 1000
    const due = keptDays(at, retentionDays)
    for (const table of partitioned) {
      const found = days[table] ?? []
      for (const day of due) {
        // Days before the run have none.
        if (!kept.has(day) || found.includes(day)) continue
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
 * The report of a message that was accepted before midnight may be written after it. Such a day keeps its reports until the last of them
 * is as old as the retention, which the workers look at every hour.
 */
function mayHoldYoungReports(table: string, day: string, at: Date, oldestKept: string): boolean {
  const isLastPast = dayOf(dayOfKey(day)!, 1) === oldestKept
  const sinceMidnightMs = at.getTime() % 86_400_000
  return table === 'reports' && isLastPast && sinceMidnightMs < 3_600_000 + bounds.partitionSeconds * 1000
}

export function judgeTables(days: readonly DayEnd[]): string[] {
  const [early, late] = halves(days)
  const names = Object.keys(days.at(-1)?.tables ?? {})
  return names.flatMap((name) => {
    const largest = (half: readonly DayEnd[]): number =>
      Math.max(0, ...half.map(({ tables }) => tables[name]?.bytes ?? 0))
    const [before, after] = [largest(early), largest(late)]
    if (after <= before * bounds.tableShare + bounds.tableBytes) return []
    return [`table ${name} grew from ${megabytes(before)} to ${megabytes(after)}`]
  })
}

/** Bytes a row of the full days of each table: bloat would show as more bytes for the same rows. */
export function densities(days: readonly DayEnd[], table: string): [string, number][] {
  const found = new Map<string, number>()
  // The last size that was seen of a day that has passed.
  for (const { partitions, day: now } of days)
    for (const { table: name, day, rows, bytes } of partitions)
      if (name === table && day < now && rows >= 1_000) found.set(day, bytes / rows)
  return [...found].sort()
}

function judgeDensity(days: readonly DayEnd[]): string[] {
  return partitioned.flatMap((table) => {
    const found = densities(days, table)
    const [first, last] = [found[0], found.at(-1)]
    if (found.length < 2 || last![1] <= first![1] * bounds.bytesShare) return []
    return [
      `${table} took ${Math.round(first![1])} bytes a row on ${first![0]} and ${Math.round(last![1])} on ${last![0]}`,
    ]
  })
}

function halves<T>(list: readonly T[]): [readonly T[], readonly T[]] {
  const middle = Math.floor(list.length / 2)
  return [list.slice(0, middle), list.slice(middle)]
}

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
