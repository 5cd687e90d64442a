/**
 * Monthly partitions of traffic_records: created ahead, and dropped when the last message of the month is
 * older than POSTERN_TRAFFIC_DAYS. A message of a month without a partition goes into the default partition,
 * so that no message waits for one.
 */
import type { Database } from '../../platform/database/database.ts'

/** A cancelled scheduled message closes up to 60 days before its send time. */
const monthsAhead = 3
const dayMs = 86_400_000

/**
 * Creates and drops partitions. With `days` 0 nothing is recorded, and an existing month is dropped once it
 * is over.
 */
export async function maintainTraffic(database: Database, days: number, now: Date): Promise<void> {
  if (days > 0)
    for (let offset = 0; offset <= monthsAhead; offset++)
      await database.query('select ensure_traffic_month($1)', [toMonthPrefix(now, offset)])
  const oldest = new Date(now.getTime() - days * dayMs)
  const found = await database.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
        and c.relname ~ '^traffic_records_[0-9]{6}$'`,
  )
  const past = `traffic_records_${toMonthPrefix(oldest, 0)}`
  for (const { name } of found.rows)
    // The function stops if it cannot lock the table soon, so that messages are not held up. The next run
    // repeats it.
    if (name < past) await database.query('select drop_traffic_month($1)', [name.slice(-6)])
  await database.query('delete from traffic_records_default where sent_at < $1', [days === 0 ? now : oldest])
}

/** Returns the prefix of the msgKeys of the month, such as `202611`. */
export function toMonthPrefix(time: Date, offset: number): string {
  const month = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + offset, 1))
  return month.toISOString().slice(0, 7).replace('-', '')
}
