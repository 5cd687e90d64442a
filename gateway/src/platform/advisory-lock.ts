/**
 * Work that one process at a time may do, under a session lock of PostgreSQL. The lock ends with the work, however
 * that ends: a session that cannot be unlocked is closed, never given back to the pool with the lock in its hands.
 * The caller hears the work's own result or fault. Work that is one transaction needs none of this: it takes a lock
 * that ends with it.
 */
import type pg from 'pg'
import type { Database } from './database.ts'

type Work = (client: pg.PoolClient) => Promise<void>

/** Waits until nobody else holds the lock. */
export async function whileLocked(database: Database, lockKey: number, work: Work): Promise<void> {
  await locked(database, 'select pg_advisory_lock($1), true as taken', lockKey, work)
}

/** Does nothing, and returns false, when somebody else holds the lock. */
export function unlessLocked(database: Database, lockKey: number, work: Work): Promise<boolean> {
  return locked(database, 'select pg_try_advisory_lock($1) as taken', lockKey, work)
}

async function locked(database: Database, lock: string, lockKey: number, work: Work): Promise<boolean> {
  const client = await database.connect()
  let broken: Error | undefined
  const closeAfter = (error: unknown): void => {
    broken = error as Error
  }
  try {
    // Its session may still be waiting, and would have the lock one day.
    const result = await client.query<{ taken: boolean }>(lock, [lockKey]).catch((error: unknown) => {
      closeAfter(error)
      throw error
    })
    if (result.rows[0]?.taken !== true) return false
    try {
      await work(client)
    } catch (error) {
      // A transaction that the work left open would refuse the unlocking.
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
