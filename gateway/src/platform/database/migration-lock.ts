/**
 * Lets one process at a time apply migrations, under an advisory lock of its session, because a migration is several
 * transactions. PostgreSQL ends a session that goes silent, and the lock with it. A process that does not get the lock in
 * time fails and names the session that holds it.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Database } from './database.ts'

export interface MigrationLockOptions {
  readonly waitMs?: number
  /** A holder that sends nothing for this long loses its session and the lock. */
  readonly maxIdleMs?: number
}

const lockKey = 0x706f7374
const defaultWaitMs = 60_000
const defaultMaxIdleMs = 30_000
const retryMs = 250

export async function withMigrationLock<T>(
  database: Database,
  work: (client: pg.PoolClient) => Promise<T>,
  { waitMs = defaultWaitMs, maxIdleMs = defaultMaxIdleMs }: MigrationLockOptions = {},
): Promise<T> {
  const client = await database.connect()
  try {
    await client.query(`set idle_session_timeout = ${maxIdleMs}`)
    await takeLock(client, waitMs)
    try {
      return await work(client)
    } finally {
      // A session that cannot unlock is closed below.
      await client.query('select pg_advisory_unlock($1)', [lockKey]).catch(() => undefined)
    }
  } finally {
    // Close the session instead of returning it to the pool: it has another timeout, and may still hold the
    // lock.
    client.release(true)
  }
}

async function takeLock(client: pg.PoolClient, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs
  for (;;) {
    const lock = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lockKey])
    if (lock.rows[0]!.taken) return
    if (performance.now() >= deadline) throw new Error(await describeHolder(client, waitMs))
    await delay(retryMs)
  }
}

interface Holder {
  readonly pid: number
  readonly program: string
  readonly address: string
  readonly since: Date
  readonly state: string
}

async function describeHolder(client: pg.PoolClient, waitMs: number): Promise<string> {
  const { rows } = await client.query<Holder>(
    `select a.pid, a.application_name as program, coalesce(host(a.client_addr), 'a local socket') as address,
            a.backend_start as since, coalesce(a.state, 'unknown') as state
       from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where l.locktype = 'advisory' and l.granted and l.classid = 0 and l.objid = $1
        and l.database = (select oid from pg_database where datname = current_database())`,
    [lockKey],
  )
  const waited = `migration lock not acquired within ${waitMs / 1000} s`
  const [holder] = rows
  if (holder === undefined) return `${waited}: another process has just released it; run the command again`
  const { pid, program, address, since, state } = holder
  return `${waited}: session ${pid} holds it (${program} from ${address}, connected since ${since.toISOString()}, state ${state}). Wait until it has finished, or end it with: select pg_terminate_backend(${pid})`
}
