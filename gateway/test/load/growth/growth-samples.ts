/** Samples the memory of PostgreSQL backends, queues, tables and day partitions for `npm run suite -- growth`. */
import { readFileSync, readdirSync } from 'node:fs'
import type pg from 'pg'
import { Connection } from 'rabbitmq-client'
import { createTopology, fixedQueues } from '../../../src/jobs/queues.ts'
import { toKeyDay } from '../../../src/records/partitions.ts'
import type { Gateway } from '../../support/processes/gateway.ts'
import type { Sample } from '../process-usage.ts'

/** A sample, taken every few seconds while messages are sent. */
export interface Moment {
  readonly minute: number
  /** Time of PostgreSQL's clock. */
  readonly at: Date
  readonly open: number
  readonly waiting: number
  /** Messages of all queues at the broker that no consumer holds. */
  readonly queued: number
  /** Age of the intake queue: the highest of all lanes and APIs. */
  readonly intakeQueueSeconds: number
  /** Days of each partitioned table. */
  readonly days: Readonly<Record<string, readonly string[]>>
}

/** A sample at the end of a day, when its messages have ended. */
export interface DayEnd {
  readonly day: string
  /** Messages sent before and after the midnight at which the day began. */
  readonly messages: number
  readonly databaseBytes: number
  /** Tables and indexes that are not partitioned by day, by name. */
  readonly tables: Readonly<Record<string, { readonly bytes: number; readonly dead: number }>>
  readonly partitions: readonly PartitionSize[]
  readonly gap: number
}

export interface PartitionSize {
  readonly table: string
  readonly day: string
  readonly rows: number
  readonly dead: number
  readonly bytes: number
}

export const partitionedTables = ['messages', 'attempts', 'reports'] as const

export async function readMoment(
  { database, apis, countQueued }: MomentSources,
  minute: number,
): Promise<Moment> {
  const [{ rows }, queued, ages] = await Promise.all([
    database.query<Pick<Moment, 'at' | 'open' | 'waiting' | 'days'>>(
      `select now() as at, (select count(*)::int from in_flight) as open, (select count(*)::int from waiting) as waiting,
              (select json_object_agg(name, days) from (
                 select inhparent::regclass::text as name, json_agg(right(inhrelid::regclass::text, 8) order by 1) as days
                   from pg_inherits where inhparent = any ($1::regclass[]) and not inhdetachpending group by 1) t) as days`,
      [partitionedTables],
    ),
    countQueued(),
    Promise.all(apis.map((api) => api.series('postern_intake_queue_age_seconds'))),
  ])
  const intakeQueueSeconds = Math.max(0, ...ages.flatMap((lanes) => [...lanes.values()]))
  return { minute, ...rows[0]!, queued, intakeQueueSeconds }
}

export interface MomentSources {
  readonly database: pg.Pool
  readonly apis: readonly Gateway[]
  readonly countQueued: () => Promise<number>
}

export async function readDayEnd(
  database: pg.Pool,
  of: Pick<DayEnd, 'day' | 'messages' | 'gap'>,
): Promise<DayEnd> {
  const { rows } = await database.query<{ name: string; bytes: number; rows: number; dead: number }>(
    `select s.relname as name, pg_total_relation_size(s.relid)::float8 as bytes, s.n_live_tup::float8 as rows,
            s.n_dead_tup::float8 as dead
       from pg_stat_user_tables s join pg_class c on c.oid = s.relid where c.relkind = 'r' order by 1`,
  )
  const size = await database.query<{ bytes: number }>(
    'select pg_database_size(current_database())::float8 as bytes',
  )
  const split = rows.map((row) => ({ ...row, parts: /^(messages|attempts|reports)_(\d{8})$/.exec(row.name) }))
  return {
    ...of,
    databaseBytes: size.rows[0]!.bytes,
    tables: Object.fromEntries(
      split.flatMap(({ name, bytes, dead, parts }) => (parts === null ? [[name, { bytes, dead }]] : [])),
    ),
    partitions: split.flatMap(({ parts, rows: live, dead, bytes }) =>
      parts === null ? [] : [{ table: parts[1]!, day: parts[2]!, rows: live, dead, bytes }],
    ),
  }
}

/** Opens a counter of the messages in the queues of an installation. */
export function openQueueCounter(
  brokerUrl: string,
  prefix: string,
): { readonly count: () => Promise<number>; close(): Promise<void> } {
  const names = fixedQueues(createTopology(prefix)).map(({ name }) => name)
  const connection = new Connection({ url: brokerUrl, acquireTimeout: 5_000 })
  connection.on('error', () => undefined)
  return {
    async count() {
      const found = await Promise.all(
        names.map((queue) => connection.queueDeclare({ queue, passive: true }).catch(() => undefined)),
      )
      return found.reduce((sum, queue) => sum + (queue?.messageCount ?? 0), 0)
    },
    close: () => connection.close(),
  }
}

/**
 * Returns the private memory of PostgreSQL backends: their caches grow with every partition they see. Their
 * descriptors are files of tables in use and no leak, so they count as 0.
 */
export function readBackends(server: number): Omit<Sample, 'minute'> {
  let residentKb = 0
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const status = readFileSync(`/proc/${name}/status`, 'latin1')
      if (!new RegExp(`^PPid:\\s+${server}$`, 'm').test(status)) continue
      residentKb += Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
    } catch {
      // The backend has exited.
    }
  }
  return { residentKb, descriptors: 0 }
}

/**
 * Returns the days of the partitions that must exist at a time, oldest first: from the retention to tomorrow.
 */
export function listKeptDays(at: Date, retentionDays: number): string[] {
  return Array.from({ length: retentionDays + 2 }, (_, index) => toKeyDay(at, index - retentionDays))
}
