/**
 * Removes forms that have expired. Messages hold their own content from the moment they are accepted, so nothing needs
 * a form after that. Several processes may do it at once.
 */
import type { Queryable } from '../platform/database.ts'
import { deleteExpired } from './queries.ts'

/** How many were removed; `batchSize` bounds what one statement locks. */
export async function removeExpiredForms(database: Queryable, now: Date, batchSize = 500): Promise<number> {
  let removed = 0
  for (;;) {
    const count = await deleteExpired(database, now, batchSize)
    removed += count
    if (count < batchSize) return removed
  }
}
