/**
 * Removes expired forms. A message has its own copy of the content from the moment it is accepted, so it no longer needs
 * the form. Several processes may run it at once.
 */
import type { Queryable } from '../platform/database.ts'
import { deleteExpired } from './queries.ts'

/** Returns how many were removed; `batchSize` bounds the rows that one statement locks. */
export async function removeExpiredForms(database: Queryable, now: Date, batchSize = 500): Promise<number> {
  let removed = 0
  for (;;) {
    const count = await deleteExpired(database, now, batchSize)
    removed += count
    if (count < batchSize) return removed
  }
}
