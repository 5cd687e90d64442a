/**
 * The monthly partitions of traffic_records: created ahead, and dropped when the last message of the month is older than
 * POSTERN_TRAFFIC_DAYS. A message of a month that does not exist goes into the default partition, so that no message waits
 * for one. Run by workers in every hour.
 */
import { inTransaction, type Database } from '../../platform/database.ts'

/** A scheduled message that is cancelled closes up to 60 days before its time. */
const monthsAhead = 3
const dayMs = 86_400_000
const lockKey = 0x74726166

/** `days` 0: nothing is recorded any more, and what was recorded is dropped. */
export async function maintainTraffic(database: Database, days: number, now: Date): Promise<void> {
  if (days > 0)
    for (let offset = 0; offset <= monthsAhead; offset++) await ensureMonth(database, monthOf(now, offset))
  const oldest = new Date(now.getTime() - days * dayMs)
  const found = await database.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
        and c.relname ~ '^traffic_records_[0-9]{6}$'`,
  )
  const past = `traffic_records_${monthOf(oldest, 0)}`
  for (const { name } of found.rows) if (days === 0 || name < past) await dropMonth(database, name)
  await database.query('delete from traffic_records_default where sent_at < $1', [days === 0 ? now : oldest])
}

/** It locks the whole table: rather than let the closing of messages wait behind it, it is tried again in an hour. */
async function dropMonth(database: Database, name: string): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await transaction.query(`set local lock_timeout = '2s'`)
    await transaction.query(`drop table if exists ${name}`)
  })
}

/** One statement: a process that is stopped or cut off never holds the lock. */
async function ensureMonth(database: Database, month: string): Promise<void> {
  const name = `traffic_records_${month}`
  const next = monthOf(new Date(`${month.slice(0, 4)}-${month.slice(4)}-01T00:00:00Z`), 1)
  await database.query(`do $$ begin
      perform pg_advisory_xact_lock(${lockKey});
      if to_regclass('${name}') is null then
        create table ${name} (like traffic_records including all);
        with moved as (delete from traffic_records_default where msg_key >= '${month}' and msg_key < '${next}' returning *)
          insert into ${name} select * from moved;
        alter table traffic_records attach partition ${name} for values from ('${month}') to ('${next}');
      end if;
    end $$`)
}

/** `202611`, as the msgKeys of the month begin. */
export function monthOf(time: Date, offset: number): string {
  const month = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + offset, 1))
  return month.toISOString().slice(0, 7).replace('-', '')
}
