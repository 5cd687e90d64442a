/**
 * Reads which statements wait for locks, and which session holds them: what blocks a gateway although
 * PostgreSQL is idle, such as an index created without `concurrently` or an open transaction. Reads no table,
 * so it works while tables are locked.
 */
import type { Queryable } from '../../platform/database/database.ts'
import type { DatabaseFigures } from './cause-figures.ts'

export type LockFigures = Omit<DatabaseFigures, 'readMs'>

interface Row {
  readonly waits: number
  readonly seconds: number
  readonly process: number | null
  readonly user: string | null
  readonly application: string | null
  readonly table: string | null
}

/**
 * Every role can see which sessions wait and hold locks, but not their statements. Advisory locks are
 * excluded: processes wait for them in order to work one after the other.
 */
export async function readLockWaits(database: Queryable): Promise<LockFigures> {
  const { rows } = await database.query<Row>(
    `with waits as materialized (
       select l.pid, l.relation, l.waitstart from pg_locks l join pg_stat_activity s on s.pid = l.pid
        where not l.granted and l.locktype in ('relation', 'transactionid', 'tuple') and s.datname = current_database()
          and l.waitstart < clock_timestamp() - interval '1 second'),
     first as (select *, (pg_blocking_pids(pid))[1] as holder from waits order by waitstart limit 1)
     select (select count(*) from waits) as waits, f.relation::regclass::text as table, f.holder as process,
            coalesce(extract(epoch from clock_timestamp() - f.waitstart), 0)::float8 as seconds,
            s.usename as user, s.application_name as application
       from (select) always left join first f on true left join pg_stat_activity s on s.pid = f.holder`,
  )
  const { waits, seconds, process, user, application, table } = rows[0]!
  return {
    lockWaits: waits,
    lockWaitSeconds: Math.round(seconds * 10) / 10,
    holder:
      process === null || process === 0
        ? null
        : { process, user: user ?? '', application: application ?? '', table },
  }
}

/** Describes lock waits for alarms and errors; returns null if nothing waits. */
export function describeLockWaits({ lockWaits, lockWaitSeconds, holder }: LockFigures): string | null {
  if (lockWaits === 0) return null
  const statements = lockWaits === 1 ? '1 statement waits' : `${lockWaits} statements wait`
  const lockName = holder?.table == null ? 'a lock' : `a lock on ${holder.table}`
  const since = `${statements} for ${lockName}, the first for ${Math.round(lockWaitSeconds)} s`
  if (holder === null) return since
  const { process, user, application } = holder
  return `${since}; process ${process} (${[application, `user ${user}`].filter(Boolean).join(', ')}) holds it`
}

export function lockAdvice({ holder }: LockFigures): string {
  const check = 'Check its statement in pg_stat_activity'
  return holder === null
    ? 'Find the holder in pg_locks and pg_stat_activity.'
    : `${check}, and end it if it is not needed: select pg_terminate_backend(${holder.process}). Nothing is lost; accepted messages wait in RabbitMQ.`
}
