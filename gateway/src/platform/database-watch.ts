/**
 * How long PostgreSQL has been silent for this process. It asks over a connection of its own and gives up on an
 * answer: a question in the pool may wait for ever behind a cut that nobody was told of, and would say nothing.
 */
import pg from 'pg'
import type { Log } from './log.ts'
import { every } from './periodic.ts'

export interface DatabaseWatch {
  /** Since the last answer; it is asked every second. */
  readonly silentMs: number
  close(): Promise<void>
}

const askEveryMs = 1_000
const answerWithinMs = 2_000

export function watchDatabase(url: string, log: Log): DatabaseWatch {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: answerWithinMs,
    query_timeout: answerWithinMs,
    application_name: 'postern watch',
  })
  pool.on('error', () => undefined)
  let answeredAt = performance.now()
  const asking = every(askEveryMs, 'asking whether the database is there', log, async () => {
    await pool.query('select 1')
    answeredAt = performance.now()
  })
  return {
    get silentMs() {
      return performance.now() - answeredAt
    },
    async close() {
      await asking.stop()
      await pool.end()
    },
  }
}
