/**
 * Work that only one process at a time may do, under a session-level advisory lock of PostgreSQL. The lock is always
 * released with the work: a session that cannot be unlocked is closed and never returned to the pool while it holds
 * the lock. The caller gets the result or the error of the work itself. Work that is one transaction does not need
 * this: it takes a transaction-level lock.
 */
import type pg from 'pg'
import type { Database } from './database.ts'

type Work = (client: pg.PoolClient) => Promise<void>

/** Waits until the lock is free. */
export async function withAdvisoryLock(database: Database, lockKey: number, work: Work): Promise<void> {
  await locked(database, 'select pg_advisory_lock($1), true as taken', lockKey, work)
}

/** Does nothing and returns false when another session holds the lock. */
export function tryWithAdvisoryLock(database: Database, lockKey: number, work: Work): Promise<boolean> {
  return locked(database, 'select pg_try_advisory_lock($1) as taken', lockKey, work)
}

async function locked(database: Database, lock: string, lockKey: number, work: Work): Promise<boolean> {
  const client = await database.connect()
  let broken: Error | undefined
  const closeAfter = (error: unknown): void => {
    broken = error as Error
  }
  try {
    // The session may still be waiting and would get the lock later.
    const result = await client.query<{ taken: boolean }>(lock, [lockKey]).catch((error: unknown) => {
      closeAfter(error)
      throw error
    })
    if (result.rows[0]?.taken !== true) return false
    try {
      await work(client)
    } catch (error) {
      // In a failed transaction that the work left open, the unlock statement would be refused.
      await client.query('rollback').catch(closeAfter)
      throw error
    } finally {
      await client.query('select pg_advisory_unlock($1)', [lockKey]).catch(closeAfter)
    }
    return true
  } finally {
    client.release(broken)
  }
}
