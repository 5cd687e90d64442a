/**
 * A connection for renewing leases, apart from the pools: neither a busy pool nor a connection that was cut without a
 * reset may delay a renewal. A statement without an answer fails after two seconds and its connection is replaced.
 * Commits do not wait for a standby, because a lease that is lost in a failover is taken again. Opened by the worker role.
 */
import pg from 'pg'
import type { Database } from './database.ts'
import { databaseLink } from './database-link.ts'

const timeoutMs = 2_000

export function openLeaseDatabase(url: string): Database {
  const pool = new pg.Pool({
    ...databaseLink(url),
    max: 1,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    application_name: 'postern leases',
    options: '-c synchronous_commit=off',
  })
  // A connection that is lost while idle; the next statement opens another.
  pool.on('error', () => undefined)
  return pool
}
