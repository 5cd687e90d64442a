/**
 * Measures how long PostgreSQL has not answered this process. It queries over its own connection with a timeout: a query
 * in the pool may wait forever on a connection that was cut without a reset. An owner uses it to give up leadership.
 */
import pg from 'pg'
import type { Log } from './log.ts'
import { every } from './periodic.ts'

export interface DatabaseWatch {
  /** Time since the last answer; it is queried every second. */
  readonly silentMs: number
  close(): Promise<void>
}

const intervalMs = 1_000
const timeoutMs = 2_000

export function watchDatabase(url: string, log: Log): DatabaseWatch {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    application_name: 'postern watch',
  })
  pool.on('error', () => undefined)
  let answeredAt = performance.now()
  const checking = every(intervalMs, 'the database check', log, async () => {
    await pool.query('select 1')
    answeredAt = performance.now()
  })
  return {
    get silentMs() {
      return performance.now() - answeredAt
    },
    async close() {
      await checking.stop()
      await pool.end()
    },
  }
}
