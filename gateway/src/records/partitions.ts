/**
 * Day partitions of messages, attempts and reports. The partition key is the msgKey, whose first eight digits are the UTC
 * day of acceptance (of a scheduled message: of its sending): a lookup by key touches one partition, and retention is a
 * DROP. A day with an open message is kept, and its reports until the last of them is as old as the retention. Partitions are created a day ahead, so that nothing has to happen at midnight. Run by workers in every hour of PostgreSQL's clock. A process
 * whose host's clock differs from PostgreSQL's creates days and drops none. Many days that are past retention at once are
 * dropped only when an operator says so: a clock that is a month ahead looks the same to a process that starts under it.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { clock } from '../platform/clock.ts'
import type { Database, Queryable } from '../platform/database.ts'

const partitioned = ['messages', 'attempts', 'reports'] as const
type Partitioned = (typeof partitioned)[number]
/**
 * What a scheduled message needs before its day: its row, and its report when it is cancelled. Its attempts begin on its
 * day. A statement that searches attempts by another key locks and plans every partition of them, also the empty ones:
 * 60 days with scheduled messages would make each match of receipts slower.
 */
const neededAhead: readonly Partitioned[] = ['messages', 'reports']
// A day that is missing is created by intake, too: one day ahead is enough, and each further one costs every search.
const daysAhead = 1
const dayMs = 86_400_000
/** Six steps of seven days, the longest that can be set: a row that is left after it keeps no day. */
const maxFlowDays = 42
/** In operation one day passes at a time; a few more when the workers were stopped over a weekend. */
const maxDroppedDays = 3
/** A transaction that reads the table, such as a backup, delays a drop; what is not dropped then is in the next hour. */
const dropTries = 20
const dropPauseMs = 500
const lockNotAvailable = '55P03'

export interface Maintained {
  /** Days past retention that were not dropped, because they are too many at once. */
  readonly unconfirmed: readonly string[]
}

export interface MaintainOptions {
  /** An operator wants every day past retention to be dropped. */
  readonly confirmed?: boolean
  /** Called before every drop; false ends the work. Several processes may drop at a time, but wait for each other. */
  readonly mayDrop?: () => Promise<boolean>
}

export async function maintainPartitions(
  database: Database,
  retentionDays: number,
  now: Date,
  { confirmed = false, mayDrop = () => Promise.resolve(true) }: MaintainOptions = {},
): Promise<Maintained> {
  const existing = await findPartitions(database)
  const names = new Set(existing.map(({ name }) => name))
  for (const day of daysToKeep(names, retentionDays, now)) {
    if (!partitioned.every((table) => names.has(`${table}_${day}`))) await ensureDay(database, dayOfKey(day)!)
  }
  if (!clock.agrees) return { unconfirmed: [] }
  const past = partitioned.flatMap((table) => {
    const oldest = partitionName(table, now, -retentionDays)
    return existing
      .filter(({ name }) => name.startsWith(`${table}_`) && name < oldest)
      .map((partition) => ({ ...partition, table }))
  })
  const unused = await withoutUsed(database, past, new Date(now.getTime() - retentionDays * dayMs))
  const pastDays = new Set(unused.map(({ name }) => name.slice(-8)))
  if (pastDays.size > maxDroppedDays && !confirmed) return { unconfirmed: [...pastDays].sort() }
  for (const { table, name } of unused) {
    if (!(await mayDrop())) break
    await dropDay(database, table, name.slice(-8))
  }
  await closePastDays(
    database,
    existing.filter(({ name }) => !pastDays.has(name.slice(-8))),
    now,
  )
  return { unconfirmed: [] }
}

/** Yesterday too: a message accepted before midnight may be recorded after it. */
function daysToKeep(names: ReadonlySet<string>, retentionDays: number, now: Date): Set<string> {
  const days = new Set<string>()
  for (let offset = -1; offset <= daysAhead; offset++) days.add(dayOf(now, offset))
  // Days of scheduled messages that have come, also while no worker ran.
  for (const name of names) {
    const day = /^messages_(\d{8})$/.exec(name)?.[1] ?? ''
    if (day >= dayOf(now, -retentionDays) && day <= dayOf(now, daysAhead)) days.add(day)
  }
  return days
}

/** Creates what messages scheduled for the day need until the day is near; `maintainPartitions` creates the rest. */
export async function ensureScheduledDay(database: Queryable, day: Date, now: Date): Promise<void> {
  await ensureDay(database, day, dayOf(day) > dayOf(now, daysAhead) ? neededAhead : partitioned)
}

/**
 * Creates the partitions of one day, by a function with the rights of the owner of the tables (migrations). Processes that
 * create days take turns by a lock of the transaction. It is one statement: a process that is stopped or cut off never holds
 * that lock, because PostgreSQL finishes the statement without it.
 */
export async function ensureDay(
  database: Queryable,
  day: Date,
  tables: readonly Partitioned[] = partitioned,
): Promise<void> {
  await database.query('select ensure_day($1, $2)', [dayOf(day), tables])
}

interface Partition {
  readonly name: string
  readonly isClosed: boolean
}

interface PastPartition extends Partition {
  readonly table: Partitioned
}

/**
 * A step may wait days for its receipt, and a flow has several: the report of a message can be days younger than its key.
 * Only the reports of such a day stay: measured 276 of 976 bytes that an SMS takes in the three tables, so one more day of
 * them is 0.9 % more disk at 30 days.
 */
async function withoutUsed(
  database: Queryable,
  past: readonly PastPartition[],
  writtenAfter: Date,
): Promise<PastPartition[]> {
  const unused: PastPartition[] = []
  for (const [day, partitions] of Map.groupBy(past, ({ name }) => name.slice(-8))) {
    const mayBeOpen = day >= dayOf(writtenAfter, -maxFlowDays)
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
    dayOf(dayOfKey(day)!, 1),
  ])
  return found.rowCount === 1
}

/** One index probe per account: the reports of an account are numbered in the order in which they are written. */
async function hasReportAfter(database: Queryable, day: string, moment: Date): Promise<boolean> {
  const found = await database.query(
    `select from accounts a cross join lateral (
       select created_at from reports where account_id = a.id and msg_key >= $2 and msg_key < $3
        order by seq desc limit 1) last
      where last.created_at > $1 limit 1`,
    [moment, day, dayOf(dayOfKey(day)!, 1)],
  )
  return found.rowCount === 1
}

async function findPartitions(database: Queryable): Promise<Partition[]> {
  const found = await database.query<Partition>(
    `select c.relname as name, coalesce('autovacuum_freeze_min_age=0' = any (c.reloptions), false) as "isClosed"
       from pg_class c
      where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
        and c.relname ~ ('^(' || $1 || ')_[0-9]{8}$')`,
    [partitioned.join('|')],
  )
  return found.rows
}

/**
 * Lets autovacuum freeze the days before yesterday. Messages that were accepted before midnight may be recorded after it, so yesterday
 * is still written.
 */
async function closePastDays(database: Queryable, existing: readonly Partition[], now: Date): Promise<void> {
  for (const { name, isClosed } of existing) {
    const [table, day] = name.split('_') as [Partitioned, string]
    if (isClosed || day >= dayOf(now, -1)) continue
    // A vacuum that does not give way holds the partition. The next hour closes it.
    await database.query('select close_day($1, $2)', [day, table]).catch(ignoreLocked)
  }
}

function ignoreLocked(error: unknown): void {
  if ((error as { code?: unknown }).code !== lockNotAvailable) throw error
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

function partitionName(table: string, now: Date, offset: number): string {
  return `${table}_${dayOf(now, offset)}`
}

/** `20261114`: the first eight digits of every msgKey of that UTC day. */
export function dayOf(now: Date, offsetDays = 0): string {
  return new Date(now.getTime() + offsetDays * dayMs).toISOString().slice(0, 10).replaceAll('-', '')
}

/** The UTC day of a msgKey; undefined when its first eight digits are no day. */
export function dayOfKey(msgKey: string): Date | undefined {
  const [, year, month, date] = /^(\d{4})(\d\d)(\d\d)/.exec(msgKey) ?? []
  const day = new Date(`${year}-${month}-${date}T00:00:00Z`)
  return Number.isNaN(day.getTime()) || dayOf(day) !== msgKey.slice(0, 8) ? undefined : day
}
