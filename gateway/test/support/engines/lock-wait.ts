/**
 * Reports whether a statement that contains this text waits for a lock, so that a test can commit the
 * transaction that holds it.
 */
import type { Database } from '../../../src/platform/database/database.ts'

export async function waitsForLock(database: Database, text: string): Promise<boolean> {
  const waiting = await database.query(
    `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and position($1 in query) > 0`,
    [text],
  )
  return waiting.rowCount! > 0
}
