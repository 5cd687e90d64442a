/**
 * What PostgreSQL itself counts: statements by `pg_stat_statements`; transactions, rows and bytes by its write-ahead log, which
 * is complete at once, while sessions add to `pg_stat_database` up to ten seconds later. Unlogged tables are not in the log.
 */
import type { Database } from '../../gateway/src/platform/database/database.ts'
import {
  startPrivatePostgres,
  type PrivatePostgres,
} from '../../gateway/test/support/processes/private-postgres.ts'
import type { Usage } from './usage.ts'

/**
 * The settings of the services without flushes to the disk, so that nothing depends on it, and without autovacuum, which would
 * use CPU at some time of a run.
 */
export function startCountingPostgres(): Promise<PrivatePostgres> {
  const settings = `
autovacuum = off
shared_preload_libraries = 'pg_stat_statements'
`
  return startPrivatePostgres({}, { fast: true, settings })
}

export async function enableCounting(database: Database): Promise<void> {
  await database.query('create extension pg_stat_statements; create extension pg_walinspect')
}

/** Counts what all other users of the database do during the work. */
export async function countUsage(database: Database, work: () => Promise<unknown>): Promise<Usage> {
  const statementsBefore = await readStatements(database)
  const from = await readEndOfLog(database)
  const began = performance.now()
  await work()
  const seconds = (performance.now() - began) / 1000
  const statements = await readStatements(database)
  for (const [text, calls] of statementsBefore) statements.set(text, (statements.get(text) ?? 0) - calls)
  return { seconds, statements, ...(await readLog(database, from, await readEndOfLog(database))) }
}

async function readStatements(database: Database): Promise<Map<string, number>> {
  const { rows } = await database.query<{ text: string; calls: number }>(
    `select s.query as text, sum(s.calls)::int as calls
       from pg_stat_statements s join pg_database d on d.oid = s.dbid join pg_roles r on r.oid = s.userid
      where d.datname = current_database() and r.rolname <> current_user group by s.query`,
  )
  return new Map(rows.map(({ text, calls }) => [text, calls]))
}

async function readEndOfLog(database: Database): Promise<string> {
  const { rows } = await database.query<{ end: string }>('select pg_current_wal_flush_lsn()::text as end')
  return rows[0]!.end
}

/**
 * A transaction of a single message writes at most ten rows. Those with more sum up the ledger and the usage of many messages, at
 * a time that has nothing to do with a message.
 */
const maxRowsOfMessage = 20

/** The log is that of the server; records of other databases belong to other transactions. */
async function readLog(
  database: Database,
  from: string,
  to: string,
): Promise<Pick<Usage, 'transactions' | 'rows' | 'bytes'>> {
  const { rows } = await database.query<Pick<Usage, 'transactions' | 'rows' | 'bytes'>>(
    `with records as (
       select r.xid::text, r.record_length - r.fpi_length as bytes,
              r.resource_manager = 'Heap' and r.record_type ~ '^(INSERT|UPDATE|HOT_UPDATE|DELETE)'
              and r.block_ref ~ ('rel \\d+/' || d.oid || '/') as is_row
         from pg_get_wal_records_info($1, $2) r, pg_database d where d.datname = current_database()),
     transactions as (
       select count(*) filter (where is_row) as rows, sum(bytes) as bytes from records group by xid
       having count(*) filter (where is_row) between 1 and ${maxRowsOfMessage})
     select count(*) as transactions, coalesce(sum(rows), 0)::int as rows, coalesce(sum(bytes), 0)::int as bytes
       from transactions`,
    [from, to],
  )
  return rows[0]!
}
