/**
 * The monthly partitions of traffic_records: created ahead, and dropped when the last message of the month is older than
 * POSTERN_TRAFFIC_DAYS. A message of a month that does not exist goes into the default partition, so that no message waits
 * for one. Run by workers in every hour, by functions with the rights of the owner of the tables (migrations).
 */
import type { Database } from '../../platform/database.ts'

/** A scheduled message that is cancelled closes up to 60 days before its time. */
const monthsAhead = 3
const dayMs = 86_400_000

/** `days` 0: nothing is recorded any more, and a month that was recorded is dropped when it is over. */
export async function maintainTraffic(database: Database, days: number, now: Date): Promise<void> {
  if (days > 0)
    for (let offset = 0; offset <= monthsAhead; offset++)
      await database.query('select ensure_traffic_month($1)', [monthOf(now, offset)])
  const oldest = new Date(now.getTime() - days * dayMs)
  const found = await database.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
        and c.relname ~ '^traffic_records_[0-9]{6}$'`,
  )
  const past = `traffic_records_${monthOf(oldest, 0)}`
  for (const { name } of found.rows)
    // It locks the whole table: rather than let the closing of messages wait behind it, it is tried again in an hour.
    if (name < past) await database.query('select drop_traffic_month($1)', [name.slice(-6)])
  await database.query('delete from traffic_records_default where sent_at < $1', [days === 0 ? now : oldest])
}

/** `202611`, as the msgKeys of the month begin. */
export function monthOf(time: Date, offset: number): string {
  const month = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + offset, 1))
  return month.toISOString().slice(0, 7).replace('-', '')
}
