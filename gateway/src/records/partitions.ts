/**
 * Day partitions of messages, attempts and reports. The partition key is the msgKey, whose first eight digits
 * are the UTC day of acceptance, or of sending for a scheduled message: a lookup by key touches one
 * partition, and retention is a DROP. A day with an open message is kept, and its reports until the last of
 * them is as old as the retention. Partitions are created a day ahead, so that nothing has to happen at
 * midnight.
 *
 * A process whose host's clock differs from PostgreSQL's creates days and drops none. Many days past
 * retention are dropped only if an operator confirms it: a clock that is a month ahead looks the same to a
 * process that starts under it.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { clock } from '../platform/time/clock.ts'
import type { Database, Queryable } from '../platform/database/database.ts'

const partitioned = ['messages', 'attempts', 'reports'] as const
type Partitioned = (typeof partitioned)[number]
/**
 * Tables that a scheduled message needs before its day: for its row, and for its report if it is cancelled. A
 * statement that searches attempts by another key locks and plans every partition, so empty partitions would
 * make each match of receipts slower.
 */
const neededAhead: readonly Partitioned[] = ['messages', 'reports']
/** Intake also creates a day that is missing, and each further day costs every search. */
const daysAhead = 1
const dayMs = 86_400_000
/** Six steps of seven days, the longest possible flow: an in-flight row older than that keeps no day. */
const maxFlowDays = 42
/**
 * Usually one day passes at a time; a few more if the workers were stopped over a weekend. More require an operator's
 * confirmation.
 */
const maxDroppedDays = 3
/** A transaction that reads the table, such as a backup, delays a drop. The next run repeats it. */
const dropTries = 20
const dropPauseMs = 500
const lockNotAvailable = '55P03'

export interface MaintenanceResult {
  /** Days past retention that were not dropped because they are too many. */
  readonly unconfirmed: readonly string[]
}

export interface MaintainOptions {
  /** Whether an operator has confirmed the drop of every day past retention. */
  readonly confirmed?: boolean
  /** Runs before every drop; false ends the work. */
  readonly canDrop?: () => Promise<boolean>
}

export async function maintainPartitions(
  database: Database,
  retentionDays: number,
  now: Date,
  { confirmed = false, canDrop = () => Promise.resolve(true) }: MaintainOptions = {},
): Promise<MaintenanceResult> {
  const existing = await findPartitions(database)
  const oldest = toKeyDay(now, -retentionDays)
  const byDay = Map.groupBy(existing, ({ day }) => day)
  for (const day of findRequiredDays(existing, oldest, now)) {
    if ((byDay.get(day)?.length ?? 0) < partitioned.length) await ensureDay(database, parseKeyDay(day)!)
  }
  if (!clock.agrees) return { unconfirmed: [] }
  await database.query('select close_past_days()')
  const past = existing.filter(({ day }) => day < oldest)
  const unused = await findUnused(database, past, new Date(now.getTime() - retentionDays * dayMs))
  const unusedDays = new Set(unused.map(({ day }) => day))
  if (unusedDays.size > maxDroppedDays && !confirmed) return { unconfirmed: [...unusedDays].sort() }
  for (const { table, day } of unused) {
    if (!(await canDrop())) break
    await dropDay(database, table, day)
  }
  return { unconfirmed: [] }
}

/** Returns the days that need all partitions. Includes yesterday: a message accepted before midnight can be recorded after it. */
function findRequiredDays(existing: readonly Partition[], oldest: string, now: Date): Set<string> {
  const days = new Set<string>()
  for (let offset = -1; offset <= daysAhead; offset++) days.add(toKeyDay(now, offset))
  // Include days of scheduled messages that have arrived, even while no worker ran.
  for (const { table, day } of existing)
    if (table === 'messages' && day >= oldest && day <= toKeyDay(now, daysAhead)) days.add(day)
  return days
}

/** Creates the partitions that scheduled messages need; `maintainPartitions` creates the rest when the day is near. */
export async function ensureScheduledDay(database: Queryable, day: Date, now: Date): Promise<void> {
  await ensureDay(database, day, toKeyDay(day) > toKeyDay(now, daysAhead) ? neededAhead : partitioned)
}

/**
 * Creates the partitions of one day by a function with the rights of the owner of the tables. It is one
 * statement: a process that is stopped or disconnected never holds the lock that serializes processes,
 * because PostgreSQL finishes the statement without it.
 */
export async function ensureDay(
  database: Queryable,
  day: Date,
  tables: readonly Partitioned[] = partitioned,
): Promise<void> {
  await database.query('select ensure_day($1, $2)', [toKeyDay(day), tables])
}

interface Partition {
  readonly table: Partitioned
  readonly day: string
}

/**
 * Returns the partitions except all of a day with an open message, and the reports of a day if one of them was written
 * after the time: a flow can wait days for its receipts, so the report of a message can be days younger than its key.
 */
async function findUnused(
  database: Queryable,
  past: readonly Partition[],
  writtenAfter: Date,
): Promise<Partition[]> {
  const unused: Partition[] = []
  for (const [day, partitions] of Map.groupBy(past, (partition) => partition.day)) {
    const mayBeOpen = day >= toKeyDay(writtenAfter, -maxFlowDays)
    if (mayBeOpen && (await hasOpenMessage(database, day))) continue
    const reports = partitions.find(({ table }) => table === 'reports')
    const keepReports = reports !== undefined && (await hasReportAfter(database, day, writtenAfter))
    unused.push(...partitions.filter((partition) => !(keepReports && partition === reports)))
  }
  return unused
}

async function hasOpenMessage(database: Queryable, day: string): Promise<boolean> {
  const found = await database.query('select from in_flight where msg_key >= $1 and msg_key < $2 limit 1', [
    day,
    toKeyDay(parseKeyDay(day)!, 1),
  ])
  return found.rowCount === 1
}

/** Takes one index probe per account: the reports of an account are numbered in the order in which they are written. */
async function hasReportAfter(database: Queryable, day: string, moment: Date): Promise<boolean> {
  const found = await database.query(
    `select from accounts a cross join lateral (
       select created_at from reports where account_id = a.id and msg_key >= $2 and msg_key < $3
        order by seq desc limit 1) last
      where last.created_at > $1 limit 1`,
    [moment, day, toKeyDay(parseKeyDay(day)!, 1)],
  )
  return found.rowCount === 1
}

async function findPartitions(database: Queryable): Promise<Partition[]> {
  const found = await database.query<Partition>(
    `select split_part(c.relname, '_', 1) as table, split_part(c.relname, '_', 2) as day from pg_class c
      where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
        and c.relname ~ ('^(' || $1 || ')_[0-9]{8}$')`,
    [partitioned.join('|')],
  )
  return found.rows
}

async function dropDay(database: Database, table: Partitioned, day: string): Promise<void> {
  for (let left = dropTries; ; left--) {
    try {
      await database.query('select drop_day($1, $2)', [day, table])
      return
    } catch (error) {
      if (left <= 1 || (error as { code?: unknown }).code !== lockNotAvailable) throw error
      await delay(dropPauseMs)
    }
  }
}

/** Returns the UTC day as the first eight digits of its msgKeys, such as `20261114`. */
export function toKeyDay(now: Date, offsetDays = 0): string {
  return new Date(now.getTime() + offsetDays * dayMs).toISOString().slice(0, 10).replaceAll('-', '')
}

/** Returns the UTC day of a msgKey, or undefined if its first eight digits are no day. */
export function parseKeyDay(msgKey: string): Date | undefined {
  const [, year, month, date] = /^(\d{4})(\d\d)(\d\d)/.exec(msgKey) ?? []
  const day = new Date(`${year}-${month}-${date}T00:00:00Z`)
  return Number.isNaN(day.getTime()) || toKeyDay(day) !== msgKey.slice(0, 8) ? undefined : day
}
