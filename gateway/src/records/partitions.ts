/**
 * Day partitions of messages, attempts and reports. The partition key is the msgKey, whose first eight digits are the UTC
 * day of acceptance: a lookup by key touches one partition, and retention is a DROP. Partitions are created days ahead,
 * so that nothing has to happen at midnight. Run hourly by workers.
 */
import { tryWithAdvisoryLock, withAdvisoryLock } from '../platform/advisory-lock.ts'
import type { Database, Queryable } from '../platform/database.ts'

const partitioned = ['messages', 'attempts', 'reports'] as const
// Matching a receipt probes every partition, also the empty ones ahead.
const daysAhead = 2
// Each attempt is updated once, by its receipt: with free space on the page that is a HOT update.
const fillfactors: Readonly<Record<string, number>> = { attempts: 45 }
const lockKey = 0x64617973

export async function maintainPartitions(
  database: Database,
  retentionDays: number,
  now: Date,
): Promise<void> {
  await tryWithAdvisoryLock(database, lockKey, async (client) => {
    const existing = await findPartitions(client)
    for (const table of partitioned) {
      await createAhead(client, table, new Set(existing.map(({ name }) => name)), now)
      const oldest = partitionName(table, now, -retentionDays)
      await dropPast(
        client,
        table,
        existing.filter(({ name }) => name.startsWith(`${table}_`) && name < oldest),
      )
    }
  })
}

/** Creates the partitions of one day, for a message scheduled beyond those created ahead. */
export function ensureDay(database: Database, day: Date): Promise<void> {
  return withAdvisoryLock(database, lockKey, async (client) => {
    const names = new Set((await findPartitions(client)).map(({ name }) => name))
    for (const table of partitioned) await createOne(client, table, names, day)
  })
}

interface Partition {
  readonly name: string
  /** `pending` or `none` when a process was killed while it dropped the partition. */
  readonly attached: 'yes' | 'pending' | 'none'
}

async function findPartitions(client: Queryable): Promise<Partition[]> {
  const found = await client.query<Partition>(
    `select c.relname as name,
            case when i.inhrelid is null then 'none' when i.inhdetachpending then 'pending' else 'yes' end as attached
       from pg_class c left join pg_inherits i on i.inhrelid = c.oid
      where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
        and c.relname ~ ('^(' || $1 || ')_[0-9]{8}$')`,
    [partitioned.join('|')],
  )
  return found.rows
}

async function createAhead(
  client: Queryable,
  table: string,
  names: ReadonlySet<string>,
  now: Date,
): Promise<void> {
  // Yesterday too: a message accepted before midnight may be recorded after it.
  for (let offset = -1; offset <= daysAhead; offset++) {
    await createOne(client, table, names, new Date(now.getTime() + offset * 86_400_000))
  }
}

async function createOne(
  client: Queryable,
  table: string,
  names: ReadonlySet<string>,
  day: Date,
): Promise<void> {
  const name = partitionName(table, day, 0)
  if (names.has(name)) return
  // Created separately and attached: attaching takes a weaker lock than CREATE … PARTITION OF, so intake continues.
  await client.query('begin')
  await client.query(
    `create table ${name} (like ${table} including all) with (fillfactor = ${fillfactors[table] ?? 100})`,
  )
  await client.query(
    `alter table ${table} attach partition ${name} for values from ('${dayOf(day)}') to ('${dayOf(day, 1)}')`,
  )
  await client.query('commit')
}

async function dropPast(client: Queryable, table: string, past: readonly Partition[]): Promise<void> {
  for (const { name, attached } of past) {
    if (attached === 'yes') await client.query(`alter table ${table} detach partition ${name} concurrently`)
    if (attached === 'pending') await client.query(`alter table ${table} detach partition ${name} finalize`)
    await client.query(`drop table ${name}`)
  }
}

function partitionName(table: string, now: Date, offset: number): string {
  return `${table}_${dayOf(now, offset)}`
}

/** `20261114`: the first eight digits of every msgKey of that UTC day. */
export function dayOf(now: Date, offsetDays = 0): string {
  return new Date(now.getTime() + offsetDays * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')
}
