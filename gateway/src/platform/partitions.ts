/**
 * Day partitions of the history tables. The partition key is the msgKey itself, whose first eight digits are
 * the UTC day of acceptance: a look-up by key touches one partition, and retention is a DROP.
 * Partitions are made days ahead, so midnight needs nobody.
 */
import type { Database } from './database.ts'

const partitioned = ['messages', 'attempts', 'reports'] as const
const daysAhead = 7
const lockKey = 0x64617973

export async function maintainPartitions(
  database: Database,
  retentionDays: number,
  now: Date,
): Promise<void> {
  const client = await database.connect()
  try {
    const lock = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lockKey])
    if (lock.rows[0]?.taken !== true) return
    try {
      const existing = await client.query<{ name: string }>(
        `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
          where i.inhparent = any($1::regclass[])`,
        [partitioned],
      )
      const names = new Set(existing.rows.map((row) => row.name))
      for (const table of partitioned) {
        // Yesterday too: what was accepted before midnight may be recorded after it.
        for (let offset = -1; offset <= daysAhead; offset++) {
          const name = partitionName(table, now, offset)
          if (names.has(name)) continue
          // Made aside and attached: attaching takes a weaker lock than CREATE … PARTITION OF, so intake goes on.
          await client.query('begin')
          await client.query(`create table ${name} (like ${table} including all)`)
          await client.query(
            `alter table ${table} attach partition ${name}
               for values from ('${dayOf(now, offset)}') to ('${dayOf(now, offset + 1)}')`,
          )
          await client.query('commit')
        }
        const oldest = partitionName(table, now, -retentionDays)
        for (const name of names) {
          if (!name.startsWith(`${table}_2`) || name >= oldest) continue
          await client.query(`alter table ${table} detach partition ${name} concurrently`)
          await client.query(`drop table ${name}`)
        }
      }
    } finally {
      await client.query('rollback').catch(() => undefined)
      await client.query('select pg_advisory_unlock($1)', [lockKey])
    }
  } finally {
    client.release()
  }
}

function partitionName(table: string, now: Date, offset: number): string {
  return `${table}_${dayOf(now, offset)}`
}

/** `20261114`: what every msgKey of that UTC day begins with. */
export function dayOf(now: Date, offsetDays = 0): string {
  return new Date(now.getTime() + offsetDays * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')
}
